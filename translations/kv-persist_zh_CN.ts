<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>kv::ActivityPage</name>
    <message>
        <source>Filter by event, server, session or text</source>
        <translation>按事件、服务器、会话或文本筛选</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>While paused, new events are left out</source>
        <translation>暂停期间不显示新事件</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>&amp;Activity</source>
        <translation>活动(&amp;A)</translation>
    </message>
    <message>
        <source>Show the &amp;last</source>
        <translation>显示最近(&amp;L)</translation>
    </message>
    <message>
        <source>How far back the timeline and the charts go</source>
        <translation>时间线和图表回溯多久</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>类型(&amp;K)</translation>
    </message>
    <message>
        <source>Which events are listed</source>
        <translation>列出哪些事件</translation>
    </message>
    <message>
        <source>Copy as &amp;text</source>
        <translation>复制为文本(&amp;T)</translation>
    </message>
    <message>
        <source>Puts the listed events on the clipboard, a line each.</source>
        <translation>将列出的事件放入剪贴板，每行一个。</translation>
    </message>
    <message>
        <source>Save and restore time</source>
        <translation>保存与恢复耗时</translation>
    </message>
    <message>
        <source>Hit rate</source>
        <translation>命中率</translation>
    </message>
</context>
<context>
    <name>kv::App</name>
    <message>
        <source>This desktop has no tray, so the window is shown instead.</source>
        <translation>此桌面没有系统托盘，因此改为显示窗口。</translation>
    </message>
</context>
<context>
    <name>kv::AppScreenshots</name>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
</context>
<context>
    <name>kv::AtomicFile</name>
    <message>
        <source>The file &apos;%1&apos; cannot be written (%2); it is as it was. Check the rights and the free space of its folder.</source>
        <translation>无法写入文件“%1”（%2），文件保持原样。请检查其所在文件夹的权限和剩余空间。</translation>
    </message>
</context>
<context>
    <name>kv::Autostart</name>
    <message>
        <source>%1 was not written by kv-persist, so it was left as it is. Change or remove that file yourself.</source>
        <translation>%1 不是由 kv-persist 写入的，因此保持原样。请自行更改或删除该文件。</translation>
    </message>
    <message>
        <source>%1 cannot be removed: %2. Remove it yourself to keep the program from starting.</source>
        <translation>无法删除 %1：%2。如不希望程序自动启动，请自行删除该文件。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made, so the program will not start by itself. Check the folder&apos;s rights.</source>
        <translation>无法创建文件夹 %1，因此程序不会自动启动。请检查该文件夹的权限。</translation>
    </message>
</context>
<context>
    <name>kv::ByteSize</name>
    <message>
        <source>found &apos;%1&apos;, expected a size such as 100GB, 5GiB or a number of bytes</source>
        <translation>得到“%1”，应为 100GB、5GiB 这样的大小或字节数</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>%1 KiB</source>
        <translation>%1 KiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>%1 TiB</source>
        <translation>%1 TiB</translation>
    </message>
    <message>
        <source>%1 PiB</source>
        <translation>%1 PiB</translation>
    </message>
</context>
<context>
    <name>kv::ChartView</name>
    <message>
        <source>Nothing in this time</source>
        <translation>这段时间内没有数据</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>time, value</comment>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s); last %1, largest %2</source>
        <translation>
            <numerusform>%n 个值；最近 %1，最大 %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::CliText</name>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 token/秒</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/秒</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>Shows and steers kv-persistd, which keeps local LLM sessions warm.</source>
        <translation>查看并控制 kv-persistd，它让本地 LLM 会话保持预热。</translation>
    </message>
    <message>
        <source>Show the version and exit</source>
        <translation>显示版本并退出</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>用法</translation>
    </message>
    <message>
        <source>OPTIONS</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>COMMAND</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>REQUIRED</source>
        <translation>必需</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Show this help and exit</source>
        <translation>显示此帮助并退出</translation>
    </message>
    <message>
        <source>Exit codes: 0 done, 1 the daemon said no, 2 wrong command line or file, 3 no daemon or no answer,
            4 doctor: NOT READY, 5 doctor: READY WITH WARNINGS.
A SESSION is the id that the harness uses, or 6 or more digits of the hash that &quot;list&quot; shows.
The socket is --socket, else $KV_PERSIST_SOCKET, else $XDG_RUNTIME_DIR/kv-persist/api.sock.
&quot;kv-persist COMMAND --help&quot; shows an example of each command. Begin with: kv-persist doctor</source>
        <translation>退出码：0 完成，1 守护进程拒绝，2 命令行或文件有误，3 没有守护进程或没有应答，
        4 doctor：NOT READY，5 doctor：READY WITH WARNINGS。
SESSION 是 harness 使用的会话 ID，或“list”所示哈希的至少前 6 位。
套接字取 --socket，否则取 $KV_PERSIST_SOCKET，否则取 $XDG_RUNTIME_DIR/kv-persist/api.sock。
“kv-persist 命令 --help”会给出每个命令的示例。建议从这里开始：kv-persist doctor</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Example:
  %1</source>
        <translation>示例：
  %1</translation>
    </message>
    <message>
        <source>only its snapshots for this provider</source>
        <translation>仅限该提供方的快照</translation>
    </message>
    <message>
        <source>only its snapshots for this model</source>
        <translation>仅限该模型的快照</translation>
    </message>
    <message>
        <source>only its snapshots on this server</source>
        <translation>仅限该服务器上的快照</translation>
    </message>
    <message>
        <source>its id, or 6 or more digits of its hash</source>
        <translation>其 ID，或其哈希的至少前 6 位</translation>
    </message>
    <message>
        <source>the daemon&apos;s socket</source>
        <translation>守护进程的套接字</translation>
    </message>
    <message>
        <source>print the daemon&apos;s document, for programs</source>
        <translation>输出守护进程的原始文档，供程序使用</translation>
    </message>
    <message>
        <source>seconds to wait for the answer</source>
        <translation>等待应答的秒数</translation>
    </message>
    <message>
        <source>auto (on a terminal, unless NO_COLOR is set), always or never</source>
        <translation>auto（在终端上启用，除非设置了 NO_COLOR）、always 或 never</translation>
    </message>
    <message>
        <source>Servers, slots, snapshots, totals and advice</source>
        <translation>服务器、槽位、快照、总计和建议</translation>
    </message>
    <message>
        <source>Who has which slot now</source>
        <translation>当前各槽位归谁使用</translation>
    </message>
    <message>
        <source>The snapshots on record</source>
        <translation>已记录的快照</translation>
    </message>
    <message>
        <source>part of label, hash, provider, model or server; or state:valid, pinned:true</source>
        <translation>标签、哈希、提供方、模型或服务器的一部分；或 state:valid、pinned:true</translation>
    </message>
    <message>
        <source>column by its name in --json; else newest first</source>
        <translation>按 --json 中的列名排序；否则最新的在前</translation>
    </message>
    <message>
        <source>largest first</source>
        <translation>从大到小</translation>
    </message>
    <message>
        <source>at most so many rows (1 to 1000, else 100)</source>
        <translation>最多显示的行数（1 到 1000，默认 100）</translation>
    </message>
    <message>
        <source>skip so many rows</source>
        <translation>跳过的行数</translation>
    </message>
    <message>
        <source>One session: its state and its snapshots</source>
        <translation>单个会话：其状态和快照</translation>
    </message>
    <message>
        <source>All counters, in the text format of Prometheus</source>
        <translation>所有计数器，采用 Prometheus 文本格式</translation>
    </message>
    <message>
        <source>Checks the servers and says what to do; ends in READY, READY WITH WARNINGS or NOT READY</source>
        <translation>检查服务器并说明该怎么做；结果为 READY、READY WITH WARNINGS 或 NOT READY</translation>
    </message>
    <message>
        <source>only this configured server</source>
        <translation>仅限这个已配置的服务器</translation>
    </message>
    <message>
        <source>a server that is not configured</source>
        <translation>未配置的服务器</translation>
    </message>
    <message>
        <source>file with the key for --url</source>
        <translation>存放 --url 所用密钥的文件</translation>
    </message>
    <message>
        <source>Shows what happens, until Ctrl-C</source>
        <translation>显示正在发生的事件，直到按下 Ctrl-C</translation>
    </message>
    <message>
        <source>beginnings of event names, separated by commas</source>
        <translation>事件名的前缀，以逗号分隔</translation>
    </message>
    <message>
        <source>What happened in a span of time</source>
        <translation>某段时间内发生的事</translation>
    </message>
    <message>
        <source>a session, or</source>
        <translation>会话，或者</translation>
    </message>
    <message>
        <source>a server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>so long ago until now: 30min, 2h, 7d (else 24h)</source>
        <translation>从多久以前到现在：30min、2h、7d（默认 24h）</translation>
    </message>
    <message>
        <source>begin, an ISO 8601 time</source>
        <translation>起始时间，ISO 8601 格式</translation>
    </message>
    <message>
        <source>end, an ISO 8601 time; else now</source>
        <translation>结束时间，ISO 8601 格式；默认为现在</translation>
    </message>
    <message>
        <source>length of a row: 1min, 1h</source>
        <translation>每行的时长：1min、1h</translation>
    </message>
    <message>
        <source>Saves the state that a session has in its slot</source>
        <translation>保存会话在其槽位中的状态</translation>
    </message>
    <message>
        <source>Brings a session back into a slot before it is needed</source>
        <translation>在需要之前将会话恢复到槽位中</translation>
    </message>
    <message>
        <source>Its snapshots are not used any more; the next request starts cold</source>
        <translation>不再使用其快照；下一次请求将冷启动</translation>
    </message>
    <message>
        <source>shown with the snapshot</source>
        <translation>随快照一起显示</translation>
    </message>
    <message>
        <source>Deletes its snapshots; asks before. Only speed is lost, never the conversation</source>
        <translation>删除其快照，事先询问。损失的只是速度，绝不会丢失对话</translation>
    </message>
    <message>
        <source>do not ask</source>
        <translation>不询问</translation>
    </message>
    <message>
        <source>Keeps its snapshots from being removed for age or space</source>
        <translation>防止其快照因时间过久或空间不足而被移除</translation>
    </message>
    <message>
        <source>Takes the pin away</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Saves every slot that holds unsaved state</source>
        <translation>保存所有含未保存状态的槽位</translation>
    </message>
    <message>
        <source>Removes what the retention rules let go</source>
        <translation>移除保留规则允许删除的内容</translation>
    </message>
    <message>
        <source>only show what would be removed</source>
        <translation>仅显示将会移除的内容</translation>
    </message>
    <message>
        <source>Nothing is saved or restored; requests go on</source>
        <translation>不保存也不恢复；请求照常进行</translation>
    </message>
    <message>
        <source>only this server</source>
        <translation>仅限这个服务器</translation>
    </message>
    <message>
        <source>resume by itself after 90s, 10min, 2h</source>
        <translation>经过 90s、10min、2h 后自动继续</translation>
    </message>
    <message>
        <source>Ends a pause</source>
        <translation>结束暂停</translation>
    </message>
    <message>
        <source>Reads the configuration file anew, whole or not at all</source>
        <translation>重新读取配置文件，要么全部生效，要么完全不生效</translation>
    </message>
    <message>
        <source>The daemon&apos;s configuration</source>
        <translation>守护进程的配置</translation>
    </message>
    <message>
        <source>Prints the file in use</source>
        <translation>输出正在使用的文件</translation>
    </message>
    <message>
        <source>a YAML file; - is the standard input</source>
        <translation>YAML 文件；- 表示标准输入</translation>
    </message>
    <message>
        <source>Checks a file; nothing is changed</source>
        <translation>检查文件，不做任何更改</translation>
    </message>
    <message>
        <source>Replaces the configuration and applies it</source>
        <translation>替换配置并使其生效</translation>
    </message>
    <message>
        <source>only if the present file has this hash (config get --json)</source>
        <translation>仅当现有文件的哈希与此相符时（config get --json）</translation>
    </message>
    <message>
        <source>Where the file is</source>
        <translation>文件所在位置</translation>
    </message>
    <message>
        <source>Prints all keys with their defaults, to begin with</source>
        <translation>输出所有配置项及其默认值，可作为起点</translation>
    </message>
    <message>
        <source>Collects what an issue needs: journals, status, doctor, versions; nothing of a conversation</source>
        <translation>收集报告问题所需的内容：日志、状态、doctor 结果、版本；不含任何对话内容</translation>
    </message>
    <message>
        <source>a new folder, or a file that ends in .tar.gz</source>
        <translation>新文件夹，或以 .tar.gz 结尾的文件</translation>
    </message>
    <message>
        <source>the metadata folder, if no daemon runs and it is not the usual one</source>
        <translation>元数据文件夹，用于没有守护进程运行且不在默认位置时</translation>
    </message>
    <message>
        <source>the configuration file, likewise</source>
        <translation>配置文件，同上</translation>
    </message>
    <message>
        <source>Runs a journal again and shows every event, state and decision; needs no daemon</source>
        <translation>重放日志，显示每个事件、状态和决定；不需要守护进程</translation>
    </message>
    <message>
        <source>a journal, of a report or of this machine</source>
        <translation>日志，来自报告或本机</translation>
    </message>
    <message>
        <source>with every field, write and timer</source>
        <translation>包括每个字段、写入和定时器</translation>
    </message>
    <message>
        <source>There is no command &quot;%1&quot;.</source>
        <translation>没有“%1”这个命令。</translation>
    </message>
    <message>
        <source>Did you mean &quot;%1&quot;?</source>
        <translation>您是不是要用“%1”？</translation>
    </message>
    <message>
        <source>kv-persist: %1
&quot;kv-persist --help&quot; shows the commands, &quot;kv-persist COMMAND --help&quot; one of them.
</source>
        <translation>kv-persist：%1
“kv-persist --help”列出所有命令，“kv-persist 命令 --help”说明其中一个。
</translation>
    </message>
    <message>
        <source>  line %1: %2</source>
        <translation>  第 %1 行：%2</translation>
    </message>
    <message>
        <source>The daemon is gone.</source>
        <translation>守护进程已退出。</translation>
    </message>
    <message>
        <source>Start it with &quot;kv-persistd&quot;, or name the socket of a running one with --socket.</source>
        <translation>请用“kv-persistd”启动它，或用 --socket 指定正在运行的守护进程的套接字。</translation>
    </message>
    <message>
        <source>Result: %1</source>
        <translation>结果：%1</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>FROM</source>
        <translation>起始</translation>
    </message>
    <message>
        <source>REQUESTS</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>RESTORES</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>SAVES</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>COLD</source>
        <translation>冷启动</translation>
    </message>
    <message>
        <source>FAILED</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>PROMPT</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>REUSED</source>
        <translation>复用</translation>
    </message>
    <message>
        <source>GENERATED</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>TIME SAVED</source>
        <translation>节省时间</translation>
    </message>
    <message>
        <source>SLOT</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>FOR</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>WHAT</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>SESSION</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>LABEL</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>TOKENS</source>
        <translation>TOKEN</translation>
    </message>
    <message>
        <source>SIZE</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>ERROR</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Give --from or --since, not both.</source>
        <translation>请只指定 --from 或 --since，不能同时指定。</translation>
    </message>
    <message>
        <source>--from and --to want times such as 2026-01-31T12:00:00Z.</source>
        <translation>--from 和 --to 需要 2026-01-31T12:00:00Z 这样的时间。</translation>
    </message>
    <message>
        <source>The span ends before it begins. --since wants a length such as 30min, 2h or 7d.</source>
        <translation>时间段的结束早于开始。--since 需要 30min、2h 或 7d 这样的时长。</translation>
    </message>
    <message>
        <source>Name a session, or a server with --server.</source>
        <translation>请指定一个会话，或用 --server 指定服务器。</translation>
    </message>
    <message>
        <source>--bucket wants a length such as 1min or 1h.</source>
        <translation>--bucket 需要 1min 或 1h 这样的时长。</translation>
    </message>
    <message>
        <source>Nothing happened in this time.</source>
        <translation>这段时间内没有发生任何事。</translation>
    </message>
    <message>
        <source>%1 is too large for a journal.</source>
        <translation>%1 太大，不可能是日志。</translation>
    </message>
    <message>
        <source>no session</source>
        <translation>无会话</translation>
    </message>
    <message>
        <source>no slot</source>
        <translation>无槽位</translation>
    </message>
    <message>
        <source>slot %1</source>
        <translation>槽位 %1</translation>
    </message>
    <message>
        <source>slot %1 of %2</source>
        <translation>%2 的槽位 %1</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 token</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>already running</source>
        <translation>已在运行</translation>
    </message>
    <message>
        <source>adapters of its own</source>
        <translation>自带适配器</translation>
    </message>
    <message>
        <source>begin of request %1</source>
        <translation>请求 %1 开始</translation>
    </message>
    <message>
        <source>%1 reused</source>
        <translation>复用 %1</translation>
    </message>
    <message>
        <source>%1 generated</source>
        <translation>生成 %1</translation>
    </message>
    <message>
        <source>more to come</source>
        <translation>后面还有</translation>
    </message>
    <message>
        <source>end of lease %1</source>
        <translation>租约 %1 结束</translation>
    </message>
    <message>
        <source>end of a call</source>
        <translation>一次调用结束</translation>
    </message>
    <message>
        <source>client %1 has gone</source>
        <translation>客户端 %1 已断开</translation>
    </message>
    <message>
        <source>request %1 is no longer wanted</source>
        <translation>不再需要请求 %1</translation>
    </message>
    <message>
        <source>by hand, request %1: %2 %3</source>
        <translation>手动，请求 %1：%2 %3</translation>
    </message>
    <message>
        <source>hint %1 of %2</source>
        <translation>来自 %2 的提示 %1</translation>
    </message>
    <message>
        <source>failed, %1</source>
        <translation>失败，%1</translation>
    </message>
    <message>
        <source>asleep</source>
        <translation>休眠</translation>
    </message>
    <message>
        <source>slot %1 %2, %3 tokens</source>
        <translation>槽位 %1 %2，%3 token</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>忙</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>answer to %1 #%2</source>
        <translation>对 %1 #%2 的应答</translation>
    </message>
    <message>
        <source>database: %1 is durable</source>
        <translation>数据库：%1 已持久化</translation>
    </message>
    <message>
        <source>database: %1 failed: %2</source>
        <translation>数据库：%1 失败：%2</translation>
    </message>
    <message>
        <source>retention lets %1 snapshots go</source>
        <translation>保留规则释放 %1 个快照</translation>
    </message>
    <message>
        <source>checksum of file %1 is known (%2)</source>
        <translation>文件 %1 的校验和已知（%2）</translation>
    </message>
    <message>
        <source>room on the disk is not known</source>
        <translation>磁盘空间未知</translation>
    </message>
    <message>
        <source>room on the disk: %1 bytes</source>
        <translation>磁盘空间：%1 字节</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>runtime not known</source>
        <translation>运行环境未知</translation>
    </message>
    <message>
        <source>%1 slots</source>
        <translation>%1 个槽位</translation>
    </message>
    <message>
        <source>the server was seen</source>
        <translation>发现服务器</translation>
    </message>
    <message>
        <source>nobody listens</source>
        <translation>无人监听</translation>
    </message>
    <message>
        <source>the server does not answer</source>
        <translation>服务器没有应答</translation>
    </message>
    <message>
        <source>another configuration</source>
        <translation>配置已更改</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>已继续</translation>
    </message>
    <message>
        <source>timer</source>
        <translation>定时器</translation>
    </message>
    <message>
        <source>shutdown</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1 #%2 of %3</source>
        <translation>%3 的 %1 #%2</translation>
    </message>
    <message>
        <source>%1, file %2</source>
        <translation>%1，文件 %2</translation>
    </message>
    <message>
        <source>lease %1</source>
        <translation>租约 %1</translation>
    </message>
    <message>
        <source>waited %1 ms</source>
        <translation>等待了 %1 毫秒</translation>
    </message>
    <message>
        <source>granted, request %1</source>
        <translation>已批准，请求 %1</translation>
    </message>
    <message>
        <source>refused, request %1: %2</source>
        <translation>已拒绝，请求 %1：%2</translation>
    </message>
    <message>
        <source>answered, request %1</source>
        <translation>已应答，请求 %1</translation>
    </message>
    <message>
        <source>answered, request %1: %2</source>
        <translation>已应答，请求 %1：%2</translation>
    </message>
    <message>
        <source>timer at %1</source>
        <translation>定时器设为 %1</translation>
    </message>
    <message>
        <source>database: %1 %2</source>
        <translation>数据库：%1 %2</translation>
    </message>
    <message>
        <source>shutdown done</source>
        <translation>关闭完成</translation>
    </message>
    <message>
        <source>--- the coordinator begins here, or its state was written anew</source>
        <translation>--- 协调器从此处开始，或其状态被重新写入</translation>
    </message>
    <message>
        <source>!! the one that wrote the journal decided otherwise here</source>
        <translation>!! 写入该日志的程序在此处作出了不同的决定</translation>
    </message>
    <message>
        <source>Server %1, written by kv-persist %2: %3 events, begun or written anew %4 times, %5 to %6</source>
        <translation>服务器 %1，由 kv-persist %2 写入：%3 个事件，开始或重新写入 %4 次，%5 至 %6</translation>
    </message>
    <message>
        <source>Grants: %1</source>
        <translation>批准：%1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Saves: %1, %2 failed. Restores: %3, %4 failed. Answered an error: %5. Invariants broken: %6</source>
        <translation>保存：%1，失败 %2。恢复：%3，失败 %4。以错误应答：%5。违反的不变式：%6</translation>
    </message>
    <message>
        <source>Every event was decided as it was then.</source>
        <translation>每个事件的决定都与当时相同。</translation>
    </message>
    <message>
        <source>%1 events were decided otherwise than then, the first is number %2. This program is kv-persist %3; another one may decide otherwise.</source>
        <translation>有 %1 个事件的决定与当时不同，第一个是第 %2 号。本程序为 kv-persist %3；其他版本可能作出不同的决定。</translation>
    </message>
    <message>
        <source>status, doctor and metrics: %1</source>
        <translation>状态、doctor 和指标：%1</translation>
    </message>
    <message>
        <source>the configuration without comments, keys and passwords</source>
        <translation>配置，不含注释、密钥和密码</translation>
    </message>
    <message>
        <source>the configuration: none is in use</source>
        <translation>配置：未使用任何配置</translation>
    </message>
    <message>
        <source>the configuration: %1 cannot be read</source>
        <translation>配置：无法读取 %1</translation>
    </message>
    <message>
        <source>servers, slots, snapshots and totals</source>
        <translation>服务器、槽位、快照和总计</translation>
    </message>
    <message>
        <source>all counters</source>
        <translation>所有计数器</translation>
    </message>
    <message>
        <source>metrics: %1</source>
        <translation>指标：%1</translation>
    </message>
    <message>
        <source>what &quot;kv-persist doctor&quot; found</source>
        <translation>“kv-persist doctor”的检查结果</translation>
    </message>
    <message>
        <source>doctor: %1</source>
        <translation>doctor：%1</translation>
    </message>
    <message>
        <source>journals: there are none in %1</source>
        <translation>日志：%1 中没有日志</translation>
    </message>
    <message>
        <source>%1: it cannot be read, or is no journal</source>
        <translation>%1：无法读取，或不是日志</translation>
    </message>
    <message>
        <source>what happened, for &quot;kv-persist replay&quot;; the last 5 seconds may be missing</source>
        <translation>发生过的事，供“kv-persist replay”使用；可能缺少最后 5 秒</translation>
    </message>
    <message>
        <source>the last events of %1: %2</source>
        <translation>%1 的最近事件：%2</translation>
    </message>
    <message>
        <source>its last events in words</source>
        <translation>其最近事件的文字说明</translation>
    </message>
    <message>
        <source>of the programs and the system</source>
        <translation>程序和系统的版本</translation>
    </message>
    <message>
        <source>A fault report of kv-persist. No prompt, no answer and no label of a conversation is in it; sessions are hashes.</source>
        <translation>kv-persist 故障报告。其中不含任何对话的提示词、回答或标签；会话以哈希表示。</translation>
    </message>
    <message>
        <source>missing: %1</source>
        <translation>缺少：%1</translation>
    </message>
    <message>
        <source>this list</source>
        <translation>本清单</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>The report is %1. In it:</source>
        <translation>报告位于 %1。其中包括：</translation>
    </message>
    <message>
        <source>  Missing: </source>
        <translation>  缺少： </translation>
    </message>
    <message>
        <source>No prompt, no answer and no label of a conversation is in it; sessions are hashes, keys and passwords are left out. It does name your models, servers and their addresses: look through it before you show it to others.</source>
        <translation>其中不含任何对话的提示词、回答或标签；会话以哈希表示，密钥和密码已略去。但其中包含您的模型、服务器及其地址：在提供给他人之前，请先浏览一遍。</translation>
    </message>
    <message>
        <source>To attach it to an issue, pack it: tar -czf %1.tar.gz %1</source>
        <translation>要附加到问题报告，请打包：tar -czf %1.tar.gz %1</translation>
    </message>
    <message>
        <source>%1 exists already. Name another place with -o; nothing was written.</source>
        <translation>%1 已存在。请用 -o 指定其他位置；未写入任何内容。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made. Name another place with -o.</source>
        <translation>无法创建文件夹 %1。请用 -o 指定其他位置。</translation>
    </message>
    <message>
        <source>The report cannot be packed with tar (%1). Name a folder instead: -o FOLDER.</source>
        <translation>无法用 tar 打包报告（%1）。请改为指定文件夹：-o 文件夹。</translation>
    </message>
    <message>
        <source>1 snapshot</source>
        <translation>1 个快照</translation>
    </message>
    <message>
        <source>%1 snapshots</source>
        <translation>%1 个快照</translation>
    </message>
    <message>
        <source>purge asks before it deletes, and nobody can answer here. Add --yes if you mean it.</source>
        <translation>purge 在删除前会询问，但此处无人可以回答。如果确实要删除，请加上 --yes。</translation>
    </message>
    <message>
        <source>Delete %1 (%2) of %3 %4?</source>
        <translation>要删除 %3 %4 的 %1（%2）吗？</translation>
    </message>
    <message>
        <source>Only speed is lost: the conversation stays, its next request processes the prompt anew.</source>
        <translation>损失的只是速度：对话仍会保留，下一次请求将重新处理提示词。</translation>
    </message>
    <message>
        <source>Type y to delete: </source>
        <translation>输入 y 删除： </translation>
    </message>
    <message>
        <source>y</source>
        <translation>y</translation>
    </message>
    <message>
        <source>Nothing was deleted.</source>
        <translation>未删除任何内容。</translation>
    </message>
    <message>
        <source>Pinned %1.</source>
        <translation>已固定 %1。</translation>
    </message>
    <message>
        <source>Unpinned %1.</source>
        <translation>已取消固定 %1。</translation>
    </message>
    <message>
        <source>age: not used for maxAgeDays</source>
        <translation>时间：超过 maxAgeDays 未使用</translation>
    </message>
    <message>
        <source>count: more sessions than maxSessions</source>
        <translation>数量：会话数超过 maxSessions</translation>
    </message>
    <message>
        <source>size: more than maxTotalBytes</source>
        <translation>大小：超过 maxTotalBytes</translation>
    </message>
    <message>
        <source>free-space: less free than minFreeBytes</source>
        <translation>剩余空间：少于 minFreeBytes</translation>
    </message>
    <message>
        <source>Nothing was written: %1.</source>
        <translation>未写入任何内容：%1。</translation>
    </message>
    <message>
        <source>Saved %1 tokens, %2, in %3.</source>
        <translation>已保存 %1 token，%2，用时 %3。</translation>
    </message>
    <message>
        <source>Restored %1 tokens, %2, into slot %3 in %4.</source>
        <translation>已将 %1 token（%2）恢复到槽位 %3，用时 %4。</translation>
    </message>
    <message>
        <source>%1 will not be used any more.</source>
        <translation>不再使用 %1。</translation>
    </message>
    <message>
        <source>Deleted %1.</source>
        <translation>已删除 %1。</translation>
    </message>
    <message>
        <source>The server keeps the files; their content is overwritten when a slot is idle.</source>
        <translation>文件仍保留在服务器上；有槽位空闲时，其内容会被覆盖。</translation>
    </message>
    <message>
        <source>Nothing was unsaved.</source>
        <translation>没有未保存的内容。</translation>
    </message>
    <message>
        <source>Slots saved: %1.</source>
        <translation>已保存的槽位：%1。</translation>
    </message>
    <message>
        <source>SERVER</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>WHY</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Nothing is to be removed.</source>
        <translation>没有需要移除的内容。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Would remove %1.</source>
        <translation>将会移除 %1。</translation>
    </message>
    <message>
        <source>Removed %1.</source>
        <translation>已移除 %1。</translation>
    </message>
    <message>
        <source>paused until resumed</source>
        <translation>已暂停，直到手动继续</translation>
    </message>
    <message>
        <source>paused until %1</source>
        <translation>已暂停至 %1</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>%1 of %2 written today</source>
        <translation>今日已写入 %1/%2</translation>
    </message>
    <message>
        <source>MODEL</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>STATE</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>CONTEXT</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>LAST USED</source>
        <translation>上次使用</translation>
    </message>
    <message>
        <source>RUNNING</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>%1, began %2</source>
        <translation>%1，开始于 %2</translation>
    </message>
    <message>
        <source>Advice:</source>
        <translation>建议：</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>generation</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>reuse</source>
        <translation>复用</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>%1 requests wait</source>
        <translation>%1 个请求在等待</translation>
    </message>
    <message>
        <source>switched off in the configuration</source>
        <translation>已在配置中关闭</translation>
    </message>
    <message>
        <source>process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>started</source>
        <translation>启动于</translation>
    </message>
    <message>
        <source>No server is configured and none was found. Start llama-server, or see: kv-persist config default</source>
        <translation>未配置服务器，也没有找到任何服务器。请启动 llama-server，或参阅：kv-persist config default</translation>
    </message>
    <message>
        <source>Snapshots: %1</source>
        <translation>快照：%1</translation>
    </message>
    <message>
        <source>valid</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>suspect</source>
        <translation>可疑</translation>
    </message>
    <message>
        <source>of another runtime</source>
        <translation>属于其他运行环境</translation>
    </message>
    <message>
        <source>invalid</source>
        <translation>无效</translation>
    </message>
    <message>
        <source>So far: %1 restores (%2 good), %3 saves (%4 failed), %5 cold starts, %6 saved, %7 written today</source>
        <translation>迄今：恢复 %1 次（成功 %2），保存 %3 次（失败 %4），冷启动 %5 次，节省 %6，今日写入 %7</translation>
    </message>
    <message>
        <source>SAVED</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>RESTORED</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>REUSE</source>
        <translation>复用</translation>
    </message>
    <message>
        <source>PINNED</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>REASON</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>No slots are known. &quot;kv-persist status&quot; says why.</source>
        <translation>没有已知的槽位。“kv-persist status”会说明原因。</translation>
    </message>
    <message>
        <source>There are no snapshots yet. They come with the first session that is saved.</source>
        <translation>还没有快照。保存第一个会话后就会有。</translation>
    </message>
    <message>
        <source>No snapshot fits the filter.</source>
        <translation>没有符合筛选条件的快照。</translation>
    </message>
    <message>
        <source>%1 of %2; see --limit and --offset</source>
        <translation>%1/%2；请参阅 --limit 和 --offset</translation>
    </message>
    <message>
        <source>State: %1</source>
        <translation>状态：%1</translation>
    </message>
    <message>
        <source>Hash:  %1</source>
        <translation>哈希：%1</translation>
    </message>
    <message>
        <source>Slot:  %1 of %2</source>
        <translation>槽位：%2 的 %1</translation>
    </message>
    <message>
        <source>It has no snapshot.</source>
        <translation>它没有快照。</translation>
    </message>
    <message>
        <source>Nothing changed.</source>
        <translation>没有任何变化。</translation>
    </message>
    <message>
        <source>Changed: %1.</source>
        <translation>已更改：%1。</translation>
    </message>
    <message>
        <source>Acts only after a restart of the daemon: %1.</source>
        <translation>重启守护进程后才生效：%1。</translation>
    </message>
    <message>
        <source>%1 is too large to be a configuration.</source>
        <translation>%1 太大，不可能是配置文件。</translation>
    </message>
    <message>
        <source>--for wants a length such as 90s, 10min or 2h.</source>
        <translation>--for 需要 90s、10min 或 2h 这样的时长。</translation>
    </message>
    <message>
        <source>Paused%1 until %2. Requests go on without saving and restoring.</source>
        <translation>已暂停%1，直到 %2。请求照常进行，但不保存也不恢复。</translation>
    </message>
    <message>
        <source>&quot;kv-persist resume&quot;</source>
        <translation>“kv-persist resume”</translation>
    </message>
    <message>
        <source>Nothing was paused.</source>
        <translation>没有处于暂停状态的服务器。</translation>
    </message>
    <message>
        <source>Resumed: %1.</source>
        <translation>已继续：%1。</translation>
    </message>
    <message>
        <source>There is no file %1; the defaults are in force. &quot;kv-persist config default&quot; prints them.</source>
        <translation>文件 %1 不存在，当前使用默认值。“kv-persist config default”可输出默认值。</translation>
    </message>
    <message>
        <source>%1 can be used.</source>
        <translation>%1 可以使用。</translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>%1 %2 %</source>
        <translation>%1 %2 %</translation>
    </message>
    <message>
        <source>Says which session the proxy would see in HTTP requests (JSON on the standard input), and why; needs no daemon</source>
        <translation>说明代理会把 HTTP 请求（标准输入中的 JSON）归入哪个会话以及原因；无需守护进程</translation>
    </message>
    <message>
        <source>no inference: passed on as it is</source>
        <translation>不是推理请求：原样转发</translation>
    </message>
    <message>
        <source>auxiliary: gets a slot, but its state is not kept</source>
        <translation>辅助请求：会分得槽位，但不保留其状态</translation>
    </message>
    <message>
        <source>compaction of the session</source>
        <translation>会话的压缩</translation>
    </message>
    <message>
        <source>the session&apos;s conversation</source>
        <translation>会话的对话</translation>
    </message>
    <message>
        <source>session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>fork of</source>
        <translation>分支自</translation>
    </message>
    <message>
        <source>started by</source>
        <translation>启动者</translation>
    </message>
    <message>
        <source>%1 parts, the first %2 of them as in its last one</source>
        <translation>共 %1 部分，其中前 %2 部分与上一次相同</translation>
    </message>
    <message>
        <source>drift</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>The standard input holds no request.</source>
        <translation>标准输入中没有请求。</translation>
    </message>
    <message>
        <source>A request is a JSON object: method, path, headers and body, or a body alone.</source>
        <translation>请求是一个 JSON 对象：method、path、headers 和 body，或仅有 body。</translation>
    </message>
    <message>
        <source>also prove it: a short prompt of its own is saved, erased, restored and asked again</source>
        <translation>并加以验证：将一段自备的简短提示保存、擦除、恢复，然后再次提问</translation>
    </message>
    <message>
        <source>with --verify: across a restart of the server, which you make when it asks</source>
        <translation>与 --verify 一起使用：跨越一次服务器重启，由您在提示时执行</translation>
    </message>
    <message>
        <source>Example:
  kv-persist doctor --server local --verify

--verify takes a slot of each server that was checked like a request of a client does: what is not saved
there is saved first and brought back afterwards. It takes as long as two short prompts, a second to a minute
or so; a request for that slot waits meanwhile. The result is kept for that build and model.
Exit codes: 0 READY, 5 READY WITH WARNINGS, 4 NOT READY, 1 the daemon said no, 3 no daemon.</source>
        <translation>示例：
  kv-persist doctor --server local --verify

--verify 会像客户端请求一样占用每个被检查服务器的一个槽位：其中未保存的内容会先保存，之后再恢复回来。
耗时相当于两段简短提示，约一秒到一分钟；在此期间，对该槽位的请求需要等待。结果会针对该构建和模型保留下来。
退出码：0 READY，5 READY WITH WARNINGS，4 NOT READY，1 守护进程拒绝，3 没有守护进程。</translation>
    </message>
    <message>
        <source>Server %1</source>
        <translation>服务器 %1</translation>
    </message>
    <message>
        <source>verified: what is restored is reused</source>
        <translation>已验证：恢复的内容会被复用</translation>
    </message>
    <message>
        <source>verified: what is restored is not reused</source>
        <translation>已验证：恢复的内容未被复用</translation>
    </message>
    <message>
        <source>the beginnings that sessions share, instead of the sessions&apos; own</source>
        <translation>会话共有的开头，而不是各会话自己的快照</translation>
    </message>
    <message>
        <source>shared beginnings</source>
        <translation>共有的开头</translation>
    </message>
    <message>
        <source>BASE</source>
        <translation>开头</translation>
    </message>
    <message>
        <source>SHARED</source>
        <translation>共有</translation>
    </message>
    <message>
        <source>PROVIDER</source>
        <translation>提供方</translation>
    </message>
    <message>
        <source>There is no shared beginning yet. The first session of a client that tells one (&quot;base&quot; in the protocol) makes it.</source>
        <translation>还没有共有的开头。客户端若给出开头（协议中的 “base”），其第一个会话就会建立它。</translation>
    </message>
    <message>
        <source>unused: a shared beginning that no session starts from any more</source>
        <translation>未使用：已没有会话从这个共有的开头开始</translation>
    </message>
</context>
<context>
    <name>kv::DaemonStarter</name>
    <message>
        <source>The daemon was started but does not answer. Run “%1” in a terminal: it says what is wrong.</source>
        <translation>守护进程已启动，但没有应答。请在终端中运行“%1”，它会说明问题所在。</translation>
    </message>
    <message>
        <source>The service %1 did not start. “journalctl --user -u %1” shows why.</source>
        <translation>服务 %1 未能启动。“journalctl --user -u %1”会显示原因。</translation>
    </message>
    <message>
        <source>The program %1 was not found, neither beside this one nor in PATH. Install kv-persist again.</source>
        <translation>找不到程序 %1，它既不在本程序旁边，也不在 PATH 中。请重新安装 kv-persist。</translation>
    </message>
    <message>
        <source>%1 could not be started. Is it allowed to be run?</source>
        <translation>无法启动 %1。它是否有执行权限？</translation>
    </message>
</context>
<context>
    <name>kv::DoctorCard</name>
    <message>
        <source>What to do: %1</source>
        <translation>解决办法：%1</translation>
    </message>
    <message>
        <source>Copy %1</source>
        <translation>复制 %1</translation>
    </message>
    <message>
        <source>Puts “%1” on the clipboard.</source>
        <translation>将“%1”复制到剪贴板。</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>kv::DoctorDialog</name>
    <message>
        <source>The checks run</source>
        <translation>正在检查</translation>
    </message>
</context>
<context>
    <name>kv::DoctorList</name>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>In general</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Server %1</source>
        <translation>服务器 %1</translation>
    </message>
</context>
<context>
    <name>kv::DoctorModel</name>
    <message>
        <source>Start llama-server with %1.</source>
        <translation>请用 %1 启动 llama-server。</translation>
    </message>
    <message>
        <source>Look at the setting %1.</source>
        <translation>请查看设置 %1。</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>[%1] %2: %3</source>
        <translation>[%1] %2：%3</translation>
    </message>
    <message>
        <source>[%1] %2, %3: %4</source>
        <translation>[%1] %2，%3：%4</translation>
    </message>
</context>
<context>
    <name>kv::DoctorPage</name>
    <message>
        <source>C&amp;heck</source>
        <translation>检查对象(&amp;H)</translation>
    </message>
    <message>
        <source>Which server is looked at. Nothing on it is changed.</source>
        <translation>要检查的服务器。不会更改其任何内容。</translation>
    </message>
    <message>
        <source>&amp;Run the checks</source>
        <translation>运行检查(&amp;R)</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>Ends the checks; what was found so far stays.</source>
        <translation>结束检查；已得到的结果会保留。</translation>
    </message>
    <message>
        <source>Copy as &amp;text</source>
        <translation>复制为文本(&amp;T)</translation>
    </message>
    <message>
        <source>Puts all that was found on the clipboard, to ask somebody about it.</source>
        <translation>将所有结果复制到剪贴板，以便向他人求助。</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <source>API &amp;key</source>
        <translation>API 密钥(&amp;K)</translation>
    </message>
    <message>
        <source>only if the server wants one</source>
        <translation>仅在服务器要求时填写</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>The checks run</source>
        <translation>正在检查</translation>
    </message>
    <message>
        <source>All configured servers</source>
        <translation>所有已配置的服务器</translation>
    </message>
    <message>
        <source>Another address…</source>
        <translation>其他地址…</translation>
    </message>
    <message>
        <source>&amp;Doctor</source>
        <translation>诊断(&amp;D)</translation>
    </message>
</context>
<context>
    <name>kv::DoctorPresenter</name>
    <message>
        <source>The doctor looks at a server without changing anything, and says what to do.</source>
        <translation>诊断会检查服务器并说明该怎么做，不会更改任何内容。</translation>
    </message>
    <message numerus="yes">
        <source>Checking… %n check(s) done</source>
        <translation>
            <numerusform>正在检查… 已完成 %n 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ready. All %n check(s) passed.</source>
        <translation>
            <numerusform>就绪。%n 项检查全部通过。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ready, with %n warning(s).</source>
        <translation>
            <numerusform>就绪，有 %n 个警告。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not ready: %n check(s) failed.</source>
        <translation>
            <numerusform>未就绪：%n 项检查失败。</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped before the end.</source>
        <translation>检查未完成即已停止。</translation>
    </message>
    <message>
        <source>The daemon does not answer. Start it, then run the doctor again.</source>
        <translation>守护进程没有应答。请启动它，然后重新运行诊断。</translation>
    </message>
</context>
<context>
    <name>kv::EventFilter</name>
    <message>
        <source>All events</source>
        <translation>所有事件</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
</context>
<context>
    <name>kv::EventsModel</name>
    <message>
        <source>%1 tokens</source>
        <translation>%1 token</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>, </translation>
    </message>
</context>
<context>
    <name>kv::FirstStartDialog</name>
    <message>
        <source>Set up kv-persist</source>
        <translation>设置 kv-persist</translation>
    </message>
    <message>
        <source>Which server?</source>
        <translation>使用哪个服务器？</translation>
    </message>
    <message>
        <source>Your sessions are kept warm on a llama-server. It is only looked at here, nothing on it is changed.</source>
        <translation>您的会话将在 llama-server 上保持预热。此处只是检查服务器，不会更改其任何内容。</translation>
    </message>
    <message>
        <source>Looking for servers</source>
        <translation>正在查找服务器</translation>
    </message>
    <message>
        <source>Servers found</source>
        <translation>找到的服务器</translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation>重新查找(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <source>API &amp;key</source>
        <translation>API 密钥(&amp;K)</translation>
    </message>
    <message>
        <source>only if the server wants one</source>
        <translation>仅在服务器要求时填写</translation>
    </message>
    <message>
        <source>Is it ready?</source>
        <translation>是否就绪？</translation>
    </message>
    <message>
        <source>The doctor looks whether the state of its slots can be saved.</source>
        <translation>诊断会检查能否保存其槽位的状态。</translation>
    </message>
    <message>
        <source>The checks run</source>
        <translation>正在检查</translation>
    </message>
    <message>
        <source>Check a&amp;gain</source>
        <translation>重新检查(&amp;G)</translation>
    </message>
    <message>
        <source>After you started the server anew.</source>
        <translation>重新启动服务器之后使用。</translation>
    </message>
    <message>
        <source>What is it called?</source>
        <translation>如何命名？</translation>
    </message>
    <message>
        <source>The configuration names the server, and what your harness calls it.</source>
        <translation>配置中记录服务器的名称，以及您的 harness 对它的称呼。</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>服务器(&amp;S)</translation>
    </message>
    <message>
        <source>Letters, digits, “-”, “_” and “.”; shown in all lists.</source>
        <translation>字母、数字、“-”、“_”和“.”；显示在所有列表中。</translation>
    </message>
    <message>
        <source>&amp;Provider</source>
        <translation>提供方(&amp;P)</translation>
    </message>
    <message>
        <source>As your harness calls the endpoint; “*” is every name.</source>
        <translation>您的 harness 对该端点的称呼；“*”表示任意名称。</translation>
    </message>
    <message>
        <source>The provider is the name under which your harness calls this endpoint, such as “llamacpp”. Only this provider is kept warm. With “*” every provider goes to this server.</source>
        <translation>提供方是您的 harness 对该端点的称呼，例如“llamacpp”。只有该提供方会保持预热。填写“*”时，所有提供方都使用此服务器。</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>From now on sessions come back in moments instead of minutes.</source>
        <translation>从现在起，会话只需片刻即可恢复，而不用等上几分钟。</translation>
    </message>
    <message>
        <source>&amp;Start with the session, in the tray</source>
        <translation>登录时自动启动，驻留在托盘中(&amp;S)</translation>
    </message>
    <message>
        <source>DeepSeek Harness (dsh)</source>
        <translation>DeepSeek Harness (dsh)</translation>
    </message>
    <message>
        <source>A plugin tells kv-persist when a model call begins and ends. Add it to each profile that you use, then start dsh anew:</source>
        <translation>插件会告知 kv-persist 模型调用何时开始、何时结束。请将它添加到您使用的每个配置档中，然后重新启动 dsh：</translation>
    </message>
    <message>
        <source>Command that adds the plugin</source>
        <translation>添加插件的命令</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Other programs are told how in the protocol page of kv-persist.</source>
        <translation>其他程序的接入方法见 kv-persist 的协议页面。</translation>
    </message>
    <message>
        <source>&amp;Write the configuration</source>
        <translation>写入配置(&amp;W)</translation>
    </message>
    <message>
        <source>%1 You can go on and put it right later.</source>
        <translation>%1 您可以继续，稍后再解决。</translation>
    </message>
</context>
<context>
    <name>kv::FirstStartPresenter</name>
    <message numerus="yes">
        <source>%n slot(s)</source>
        <translation>
            <numerusform>%n 个槽位</numerusform>
        </translation>
    </message>
    <message>
        <source>missing: %1</source>
        <translation>缺少：%1</translation>
    </message>
    <message>
        <source>Looking for servers on this machine…</source>
        <translation>正在本机上查找服务器…</translation>
    </message>
    <message>
        <source>No llama-server was found on the usual ports of this machine. Start one and look again, or type its address.</source>
        <translation>在本机的常用端口上没有找到 llama-server。请启动一个并重新查找，或输入其地址。</translation>
    </message>
    <message numerus="yes">
        <source>%n server(s) found. Choose one, or type an address.</source>
        <translation>
            <numerusform>找到 %n 个服务器。请选择一个，或输入地址。</numerusform>
        </translation>
    </message>
    <message>
        <source>Writing the configuration…</source>
        <translation>正在写入配置…</translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation>已写入 %1。</translation>
    </message>
</context>
<context>
    <name>kv::HumanTime</name>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>0 ms</source>
        <translation>0 毫秒</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>%1 s ago</source>
        <translation>%1 秒前</translation>
    </message>
    <message>
        <source>%1 min ago</source>
        <translation>%1 分钟前</translation>
    </message>
    <message>
        <source>%1 h ago</source>
        <translation>%1 小时前</translation>
    </message>
    <message>
        <source>%1 d ago</source>
        <translation>%1 天前</translation>
    </message>
</context>
<context>
    <name>kv::LocaleText</name>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>%1 s ago</source>
        <translation>%1 秒前</translation>
    </message>
    <message>
        <source>%1 min ago</source>
        <translation>%1 分钟前</translation>
    </message>
    <message>
        <source>%1 h ago</source>
        <translation>%1 小时前</translation>
    </message>
    <message numerus="yes">
        <source>%n day(s) ago</source>
        <translation>
            <numerusform>%n 天前</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <comment>tokens per second</comment>
        <translation>%1 tok/秒</translation>
    </message>
    <message>
        <source>%1/s</source>
        <comment>bytes per second</comment>
        <translation>%1/秒</translation>
    </message>
</context>
<context>
    <name>kv::MainWindow</name>
    <message>
        <source>Start &amp;it</source>
        <translation>启动(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>kv-persist</source>
        <translation>kv-persist</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>The daemon is being started …</source>
        <translation>正在启动守护进程…</translation>
    </message>
    <message>
        <source>The daemon is away: sessions are neither saved nor restored. %1</source>
        <translation>守护进程不在运行：会话既不会保存也不会恢复。%1</translation>
    </message>
</context>
<context>
    <name>kv::MiniMonitor</name>
    <message>
        <source>Keep on &amp;top</source>
        <translation>保持在最前(&amp;T)</translation>
    </message>
    <message>
        <source>kv-persist monitor</source>
        <translation>kv-persist 监视器</translation>
    </message>
    <message>
        <source>warm</source>
        <translation>已预热</translation>
    </message>
    <message>
        <source>cold</source>
        <translation>未预热</translation>
    </message>
</context>
<context>
    <name>kv::NotificationPresenter</name>
    <message>
        <source>kv-persist works again</source>
        <translation>kv-persist 恢复正常</translation>
    </message>
    <message>
        <source>Sessions are saved and restored as before.</source>
        <translation>会话照常保存和恢复。</translation>
    </message>
    <message>
        <source>One trouble is over. Another is left: see the overview.</source>
        <translation>一个问题已解决，但还有其他问题：请查看概览。</translation>
    </message>
    <message>
        <source>Persistence rests for %1</source>
        <translation>%1 的持久化暂时停用</translation>
    </message>
    <message>
        <source>Too many calls failed. It is tried again by itself.</source>
        <translation>失败的调用过多。稍后会自动重试。</translation>
    </message>
    <message>
        <source>The server cannot save as it was started.</source>
        <translation>服务器当前的启动方式不支持保存。</translation>
    </message>
    <message>
        <source>The model %1 does not reuse restored sessions with this build of llama-server. A newer one may help.</source>
        <translation>模型 %1 在此版本的 llama-server 上不能复用恢复的会话。更新版本也许能解决。</translation>
    </message>
    <message>
        <source>The disk is nearly full</source>
        <translation>磁盘空间即将用尽</translation>
    </message>
    <message>
        <source>%1 are free where %2 keeps its snapshots, and %3 shall stay free: soon nothing is saved.</source>
        <translation>%2 存放快照的位置剩余 %1，而需保留 %3：很快将无法保存。</translation>
    </message>
    <message>
        <source>Storage is nearly full</source>
        <translation>存储空间即将用尽</translation>
    </message>
    <message>
        <source>Snapshots take %1 of the %2 they may. The oldest that are not pinned make room for new ones.</source>
        <translation>快照已占用 %1，上限为 %2。未固定的最旧快照将为新快照腾出空间。</translation>
    </message>
</context>
<context>
    <name>kv::OverviewPage</name>
    <message>
        <source>&amp;Mini monitor</source>
        <translation>迷你监视器(&amp;M)</translation>
    </message>
    <message>
        <source>Shows the same in a small window that can stay on top</source>
        <translation>在可置于最前的小窗口中显示相同内容</translation>
    </message>
    <message>
        <source>Needs your attention</source>
        <translation>需要您处理</translation>
    </message>
    <message>
        <source>%1 needs your attention</source>
        <translation>%1 需要您处理</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copies “%1”</source>
        <translation>复制“%1”</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <comment>name, value and detail of a number</comment>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation>概览(&amp;O)</translation>
    </message>
</context>
<context>
    <name>kv::OverviewPresenter</name>
    <message>
        <source>The daemon is away. Requests go on without it, only colder.</source>
        <translation>守护进程不在运行。请求照常进行，只是需要冷启动。</translation>
    </message>
    <message>
        <source>Looking for the daemon …</source>
        <translation>正在查找守护进程…</translation>
    </message>
    <message>
        <source>No llama-server was found. Start one with --slot-save-path FOLDER, or name it in the settings.</source>
        <translation>没有找到 llama-server。请用 --slot-save-path 文件夹 启动一个，或在设置中指定。</translation>
    </message>
    <message>
        <source>%1 left</source>
        <comment>tokens of context</comment>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>last used %1</source>
        <translation>上次使用 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) wait</source>
        <translation>
            <numerusform>%n 个请求在等待</numerusform>
        </translation>
    </message>
    <message>
        <source>–</source>
        <comment>no value yet</comment>
        <translation>–</translation>
    </message>
    <message>
        <source>Time saved today</source>
        <translation>今日节省时间</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>Processing of prompts that was not needed, less the time that restoring took.</source>
        <translation>免去的提示词处理时间，减去恢复所用的时间。</translation>
    </message>
    <message>
        <source>Restored well</source>
        <translation>成功恢复</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>Of the sessions with a snapshot that came back, how many were restored well.</source>
        <translation>再次使用的、有快照的会话中，成功恢复的比例。</translation>
    </message>
    <message>
        <source>Reused</source>
        <translation>复用</translation>
    </message>
    <message>
        <source>Of the restores that a request followed, how many the server reused whole.</source>
        <translation>恢复后又收到请求的会话中，被服务器完整复用的比例。</translation>
    </message>
    <message>
        <source>Cold starts</source>
        <translation>冷启动</translation>
    </message>
    <message numerus="yes">
        <source>of %n request(s)</source>
        <translation>
            <numerusform>共 %n 个请求</numerusform>
        </translation>
    </message>
    <message>
        <source>Requests whose whole prompt had to be processed.</source>
        <translation>需要处理整个提示词的请求。</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>上限 %1</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>, </translation>
    </message>
    <message>
        <source>Size of all snapshots, against retention.maxTotalBytes. The forecast takes all that was written today as new, so there is room for at least that long.</source>
        <translation>所有快照的总大小，相对于 retention.maxTotalBytes。预测时把今日写入的内容全部视为新增，因此空间至少够用这么久。</translation>
    </message>
    <message>
        <source>full: the oldest make room</source>
        <translation>已满：最旧的快照会腾出空间</translation>
    </message>
    <message>
        <source>room for more than a year</source>
        <translation>空间够用一年以上</translation>
    </message>
    <message>
        <source>full within a day</source>
        <translation>一天之内就会用满</translation>
    </message>
    <message numerus="yes">
        <source>room for %n day(s)</source>
        <translation>
            <numerusform>空间够用 %n 天</numerusform>
        </translation>
    </message>
    <message>
        <source>none yet</source>
        <comment>time</comment>
        <translation>暂无</translation>
    </message>
    <message>
        <source>No time saved yet</source>
        <translation>尚未节省时间</translation>
    </message>
    <message>
        <source>Saved %1 today, %2 in all</source>
        <translation>今日节省 %1，共 %2</translation>
    </message>
    <message>
        <source>Saved %1 in all</source>
        <translation>共节省 %1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>what runs, for how long</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, prompt changed</source>
        <comment>state of a slot</comment>
        <translation>%1，提示词已变</translation>
    </message>
    <message>
        <source>The session&apos;s last prompt does not begin with the one before any more (%1), so that everything behind that place is processed anew.</source>
        <translation>该会话的最新提示词不再以上一次的提示词开头（%1），因此该处之后的内容都会重新处理。</translation>
    </message>
</context>
<context>
    <name>kv::OverviewProgressBar</name>
    <message>
        <source>Progress of %1</source>
        <translation>%1 的进度</translation>
    </message>
</context>
<context>
    <name>kv::OverviewServerCard</name>
    <message>
        <source>Server %1: %2</source>
        <translation>服务器 %1：%2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>owner (model)</comment>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>kv::OverviewText</name>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>The last calls failed</source>
        <translation>最近的调用失败</translation>
    </message>
    <message>
        <source>Resting after too many failures</source>
        <translation>失败过多，暂时停用</translation>
    </message>
    <message>
        <source>Trying again after failures</source>
        <translation>失败后正在重试</translation>
    </message>
    <message>
        <source>Does not answer</source>
        <translation>没有应答</translation>
    </message>
    <message>
        <source>Cannot save as it was started</source>
        <translation>当前启动方式不支持保存</translation>
    </message>
    <message>
        <source>Sleeping: its model is unloaded</source>
        <translation>休眠：模型已卸载</translation>
    </message>
    <message>
        <source>State not known</source>
        <translation>状态未知</translation>
    </message>
    <message>
        <source>Does not reuse restored sessions</source>
        <translation>不能复用恢复的会话</translation>
    </message>
    <message>
        <source>Paused until resumed</source>
        <translation>已暂停，直到手动继续</translation>
    </message>
    <message>
        <source>Paused %1</source>
        <comment>until a time</comment>
        <translation>已暂停%1</translation>
    </message>
    <message>
        <source>content not known</source>
        <translation>内容未知</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>being restored</source>
        <translation>恢复中</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>应答中</translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>being saved</source>
        <translation>保存中</translation>
    </message>
    <message>
        <source>out of use after an error</source>
        <translation>出错后停用</translation>
    </message>
    <message>
        <source>late: an operation may still run</source>
        <translation>超时：操作可能仍在进行</translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>正在应答</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>正在保存</translation>
    </message>
    <message>
        <source>Restoring</source>
        <translation>正在恢复</translation>
    </message>
    <message>
        <source>Emptying</source>
        <translation>正在清空</translation>
    </message>
    <message>
        <source>Looking</source>
        <translation>正在检查</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 token</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1/%2 token</translation>
    </message>
    <message>
        <source>prefill %1, generating %2</source>
        <translation>预填充 %1，生成 %2</translation>
    </message>
    <message>
        <source>prefill %1</source>
        <translation>预填充 %1</translation>
    </message>
    <message>
        <source>generating %1</source>
        <translation>生成 %1</translation>
    </message>
    <message>
        <source>Nobody</source>
        <translation>无人使用</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>至 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>percent, size</comment>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>Checking its file: %1</source>
        <translation>正在检查文件：%1</translation>
    </message>
    <message>
        <source>Working on its file: %1</source>
        <translation>正在处理文件：%1</translation>
    </message>
    <message>
        <source>Checksum of %1: %2</source>
        <comment>session, how far</comment>
        <translation>%1 的校验和：%2</translation>
    </message>
    <message>
        <source>Working on the file of %1: %2</source>
        <comment>session, how far</comment>
        <translation>正在处理 %1 的文件：%2</translation>
    </message>
</context>
<context>
    <name>kv::Paths</name>
    <message>
        <source>&apos;%1&apos; is not a folder. Move it away or choose another path.</source>
        <translation>“%1”不是文件夹。请将其移走，或选择其他路径。</translation>
    </message>
    <message>
        <source>The folder &apos;%1&apos; belongs to another user and cannot be trusted. Remove it or choose another path.</source>
        <translation>文件夹“%1”属于其他用户，不可信任。请将其删除，或选择其他路径。</translation>
    </message>
    <message>
        <source>The rights of the folder &apos;%1&apos; cannot be set to 0700. Set them by hand.</source>
        <translation>无法将文件夹“%1”的权限设为 0700。请手动设置。</translation>
    </message>
    <message>
        <source>The environment variable &apos;%1&apos;, named in the path &apos;%2&apos;, is not set. Set it or write the path out.</source>
        <translation>路径“%2”中的环境变量“%1”未设置。请设置该变量，或写出完整路径。</translation>
    </message>
    <message>
        <source>The path is empty.</source>
        <translation>路径为空。</translation>
    </message>
    <message>
        <source>The path contains a NUL character.</source>
        <translation>路径包含 NUL 字符。</translation>
    </message>
    <message>
        <source>The path &apos;%1&apos; names the home folder of another user, which is not supported. Write the path out.</source>
        <translation>路径“%1”指向其他用户的主文件夹，不支持这种写法。请写出完整路径。</translation>
    </message>
    <message>
        <source>The path &apos;%1&apos; has a &apos;${&apos; without a name and a &apos;}&apos;.</source>
        <translation>路径“%1”中的“${”缺少名称和“}”。</translation>
    </message>
    <message>
        <source>The folder &apos;%1&apos; cannot be made. Check the rights and the free space of &apos;%2&apos;.</source>
        <translation>无法创建文件夹“%1”。请检查“%2”的权限和剩余空间。</translation>
    </message>
</context>
<context>
    <name>kv::SampleDaemon</name>
    <message>
        <source>This is only a sample.</source>
        <translation>这只是示例。</translation>
    </message>
</context>
<context>
    <name>kv::SessionDetails</name>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>Snapshot of %1 on %2</source>
        <translation>%2 上 %1 的快照</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存时间</translation>
    </message>
    <message>
        <source>Last restored</source>
        <translation>上次恢复</translation>
    </message>
    <message>
        <source>Reuse</source>
        <translation>复用</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>File and compatibility</source>
        <translation>文件和兼容性</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>提供方</translation>
    </message>
    <message>
        <source>Compatibility</source>
        <translation>兼容性</translation>
    </message>
    <message>
        <source>Model fingerprint</source>
        <translation>模型指纹</translation>
    </message>
    <message>
        <source>Runtime fingerprint</source>
        <translation>运行环境指纹</translation>
    </message>
    <message>
        <source>Runtime it was computed under</source>
        <translation>计算时的运行环境</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Hash of its id</source>
        <translation>ID 的哈希</translation>
    </message>
    <message>
        <source>Where it is</source>
        <translation>所在位置</translation>
    </message>
    <message>
        <source>%1, slot %2</source>
        <translation>%1，槽位 %2</translation>
    </message>
    <message>
        <source>First saved</source>
        <translation>首次保存</translation>
    </message>
</context>
<context>
    <name>kv::SessionDetailsDialog</name>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Last day</source>
        <translation>最近一天</translation>
    </message>
    <message>
        <source>Last week</source>
        <translation>最近一周</translation>
    </message>
    <message>
        <source>C&amp;hart of:</source>
        <translation>图表(&amp;H)：</translation>
    </message>
    <message>
        <source>&amp;Copy all</source>
        <translation>全部复制(&amp;C)</translation>
    </message>
    <message>
        <source>Puts all fields on the clipboard, a line each</source>
        <translation>将所有字段放入剪贴板，每行一个</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>kv::SessionExport</name>
    <message>
        <source>%1 cannot be written: %2. Choose another folder.</source>
        <translation>无法写入 %1：%2。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The export was cancelled; nothing was written.</source>
        <translation>已取消导出；未写入任何内容。</translation>
    </message>
    <message>
        <source>Nothing was exported: %1</source>
        <translation>未导出任何内容：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) exported to %1.</source>
        <translation>
            <numerusform>已将 %n 行导出到 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
</context>
<context>
    <name>kv::SessionText</name>
    <message>
        <source>valid</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>suspect</source>
        <translation>可疑</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>已隐藏</translation>
    </message>
    <message>
        <source>invalid</source>
        <translation>无效</translation>
    </message>
    <message>
        <source>reused</source>
        <translation>已复用</translation>
    </message>
    <message>
        <source>partly</source>
        <translation>部分复用</translation>
    </message>
    <message>
        <source>not reused</source>
        <translation>未复用</translation>
    </message>
    <message>
        <source>The server runs another model now.</source>
        <translation>服务器现在运行其他模型。</translation>
    </message>
    <message>
        <source>The server is of another build now.</source>
        <translation>服务器现在是其他构建版本。</translation>
    </message>
    <message>
        <source>The server&apos;s context is too small for it now.</source>
        <translation>服务器现在的上下文对它来说太小。</translation>
    </message>
    <message>
        <source>The server was started with other slots.</source>
        <translation>服务器启动时的槽位设置已不同。</translation>
    </message>
    <message>
        <source>The server runs with other LoRA adapters now.</source>
        <translation>服务器现在使用其他 LoRA 适配器。</translation>
    </message>
    <message>
        <source>The server keeps its cache in another format now.</source>
        <translation>服务器现在以其他格式保存缓存。</translation>
    </message>
    <message>
        <source>The runtime key in the configuration changed.</source>
        <translation>配置中的运行环境标识已更改。</translation>
    </message>
    <message>
        <source>It was written by another version of kv-persist.</source>
        <translation>它由其他版本的 kv-persist 写入。</translation>
    </message>
    <message>
        <source>Its record is damaged.</source>
        <translation>其记录已损坏。</translation>
    </message>
    <message>
        <source>Its file is gone.</source>
        <translation>其文件已不存在。</translation>
    </message>
    <message>
        <source>Its file has another size than when it was saved.</source>
        <translation>其文件大小与保存时不同。</translation>
    </message>
    <message>
        <source>Its file does not begin as a snapshot does.</source>
        <translation>其文件的开头不符合快照格式。</translation>
    </message>
    <message>
        <source>Its file was changed after it was saved.</source>
        <translation>其文件在保存后被更改。</translation>
    </message>
    <message>
        <source>The machine stopped without warning soon after it was saved.</source>
        <translation>保存后不久，计算机意外停机。</translation>
    </message>
    <message>
        <source>Restoring it failed.</source>
        <translation>恢复失败。</translation>
    </message>
    <message>
        <source>The server died while it was restored.</source>
        <translation>恢复过程中服务器崩溃。</translation>
    </message>
    <message>
        <source>After its last restore the server reused nothing of it.</source>
        <translation>上次恢复后，服务器完全没有复用它。</translation>
    </message>
    <message>
        <source>It was invalidated by hand.</source>
        <translation>已手动设为无效。</translation>
    </message>
    <message>
        <source>not known to any server</source>
        <translation>没有服务器知道它</translation>
    </message>
    <message>
        <source>cold: nothing of it is kept</source>
        <translation>冷：没有保留任何内容</translation>
    </message>
    <message>
        <source>being restored</source>
        <translation>恢复中</translation>
    </message>
    <message>
        <source>in a slot, saved</source>
        <translation>在槽位中，已保存</translation>
    </message>
    <message>
        <source>in a slot, not saved yet</source>
        <translation>在槽位中，尚未保存</translation>
    </message>
    <message>
        <source>being saved</source>
        <translation>保存中</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>its snapshot is invalid</source>
        <translation>其快照无效</translation>
    </message>
    <message>
        <source>Shared beginning, %1 tokens</source>
        <translation>共有的开头，%1 token</translation>
    </message>
    <message>
        <source>Shared beginning, not used yet</source>
        <translation>共有的开头，尚未使用</translation>
    </message>
</context>
<context>
    <name>kv::SessionsModel</name>
    <message>
        <source>%1, slot %2</source>
        <translation>%1，槽位 %2</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存时间</translation>
    </message>
    <message>
        <source>Restored</source>
        <translation>恢复时间</translation>
    </message>
    <message>
        <source>Reuse</source>
        <translation>复用</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>固定</translation>
    </message>
</context>
<context>
    <name>kv::SessionsPage</name>
    <message>
        <source>Filter by name, session, model or server</source>
        <translation>按名称、会话、模型或服务器筛选</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Shows only sessions with this text (Ctrl+F)</source>
        <translation>仅显示包含此文本的会话 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Sh&amp;ow:</source>
        <translation>显示(&amp;O)：</translation>
    </message>
    <message>
        <source>Shows only snapshots in this state</source>
        <translation>仅显示处于此状态的快照</translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>C&amp;lear the filter</source>
        <translation>清除筛选条件(&amp;L)</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Valid</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>Suspect</source>
        <translation>可疑</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>已隐藏</translation>
    </message>
    <message>
        <source>Invalid</source>
        <translation>无效</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Sa&amp;ve now</source>
        <translation>立即保存(&amp;V)</translation>
    </message>
    <message>
        <source>Saves what the session has in its slot</source>
        <translation>保存会话在其槽位中的状态</translation>
    </message>
    <message>
        <source>&amp;Restore now</source>
        <translation>立即恢复(&amp;R)</translation>
    </message>
    <message>
        <source>Brings the session into a slot before it is needed; waits for a free one</source>
        <translation>在需要之前将会话恢复到槽位中；会等待空闲槽位</translation>
    </message>
    <message>
        <source>&amp;Pin</source>
        <translation>固定(&amp;P)</translation>
    </message>
    <message>
        <source>Keeps the snapshot whatever its age and size</source>
        <translation>无论时间长短和大小，都保留此快照</translation>
    </message>
    <message>
        <source>&amp;Unpin</source>
        <translation>取消固定(&amp;U)</translation>
    </message>
    <message>
        <source>Lets the snapshot go when its time comes</source>
        <translation>到期后允许移除此快照</translation>
    </message>
    <message>
        <source>&amp;Invalidate</source>
        <translation>设为无效(&amp;I)</translation>
    </message>
    <message>
        <source>The snapshot is not restored any more; the next request starts cold</source>
        <translation>不再恢复此快照；下一次请求将冷启动</translation>
    </message>
    <message>
        <source>&amp;Forget…</source>
        <translation>删除(&amp;F)…</translation>
    </message>
    <message>
        <source>Removes the snapshot and its file; asks first</source>
        <translation>删除快照及其文件；事先询问</translation>
    </message>
    <message>
        <source>&amp;Details…</source>
        <translation>详情(&amp;D)…</translation>
    </message>
    <message>
        <source>All that is known about the session</source>
        <translation>有关此会话的所有信息</translation>
    </message>
    <message>
        <source>Cop&amp;y</source>
        <translation>复制(&amp;Y)</translation>
    </message>
    <message>
        <source>Copies the selected rows as text</source>
        <translation>将所选行复制为文本</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Writes all rows that match to a JSON or CSV file</source>
        <translation>将所有符合条件的行写入 JSON 或 CSV 文件</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>&amp;Forget</source>
        <translation>删除(&amp;F)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>JSON (*.json);;CSV (*.csv)</source>
        <translation>JSON (*.json);;CSV (*.csv)</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>正在导出…</translation>
    </message>
    <message>
        <source>&amp;Sessions</source>
        <translation>会话(&amp;S)</translation>
    </message>
    <message>
        <source>Shared beginnings</source>
        <translation>共有的开头</translation>
    </message>
</context>
<context>
    <name>kv::SessionsPresenter</name>
    <message>
        <source>%1: %2</source>
        <comment>a session and what went wrong</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Cancelled; %1 of %2 done.</source>
        <translation>已取消；已完成 %1/%2。</translation>
    </message>
    <message numerus="yes">
        <source>All %n done.</source>
        <translation>
            <numerusform>%n 项全部完成。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 done; %3</source>
        <translation>已完成 %1/%2；%3</translation>
    </message>
    <message>
        <source>%1 was saved already: nothing changed since.</source>
        <translation>%1 此前已保存：之后没有任何变化。</translation>
    </message>
    <message>
        <source>%1 saved: %2 tokens in %3.</source>
        <translation>已保存 %1：%2 token，用时 %3。</translation>
    </message>
    <message>
        <source>%1 restored into slot %2: %3 tokens in %4.</source>
        <translation>已将 %1 恢复到槽位 %2：%3 token，用时 %4。</translation>
    </message>
    <message>
        <source>%1 will not be restored any more; its next request starts cold.</source>
        <translation>不再恢复 %1；其下一次请求将冷启动。</translation>
    </message>
    <message>
        <source>%1 is kept until it is unpinned.</source>
        <translation>在取消固定之前会一直保留 %1。</translation>
    </message>
    <message>
        <source>%1 may be removed again for age or space.</source>
        <translation>%1 又可能因时间过久或空间不足而被移除。</translation>
    </message>
    <message>
        <source>%1 forgotten; its file is emptied as soon as a slot is free.</source>
        <translation>已删除 %1；一有空闲槽位就会清空其文件。</translation>
    </message>
    <message>
        <source>%1 forgotten.</source>
        <translation>已删除 %1。</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Saving %1…</source>
        <translation>正在保存 %1…</translation>
    </message>
    <message>
        <source>Restoring %1: waiting for a slot…</source>
        <translation>正在恢复 %1：等待槽位…</translation>
    </message>
    <message>
        <source>Working on %1…</source>
        <translation>正在处理 %1…</translation>
    </message>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation>%1（%2/%3）</translation>
    </message>
    <message>
        <source>Forget the snapshot of %1?</source>
        <translation>要删除 %1 的快照吗？</translation>
    </message>
    <message numerus="yes">
        <source>Forget %n snapshot(s)?</source>
        <translation>
            <numerusform>要删除 %n 个快照吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>Only speed is lost: conversations stay as they are, and the server processes %1 tokens anew when they are needed.</source>
        <translation>损失的只是速度：对话保持原样，需要时服务器会重新处理 %1 token。</translation>
    </message>
    <message numerus="yes">
        <source>%1 snapshot(s)</source>
        <translation>
            <numerusform>%1 个快照</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 selected</source>
        <translation>，已选择 %1 个</translation>
    </message>
    <message>
        <source>The daemon does not answer. Its sessions are shown again as soon as it is back.</source>
        <translation>守护进程没有应答。它恢复后会立即重新显示会话。</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>No session is saved yet. Work with a model as usual: the first snapshot appears here a moment after an answer.</source>
        <translation>尚未保存任何会话。照常使用模型即可：回答之后片刻，第一个快照就会出现在这里。</translation>
    </message>
    <message>
        <source>No session matches the filter.</source>
        <translation>没有符合筛选条件的会话。</translation>
    </message>
    <message>
        <source>, “%1” selected</source>
        <translation>，已选择“%1”</translation>
    </message>
    <message numerus="yes">
        <source>, %n deselected by the filter</source>
        <translation>
            <numerusform>，%n 个因筛选而取消选择</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 And %n more.</source>
        <comment>sentences about what failed</comment>
        <translation>
            <numerusform>%1 另有 %n 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading what is selected: %1 of %2 rows…</source>
        <translation>正在读取所选内容：第 %1 行，共 %2 行…</translation>
    </message>
</context>
<context>
    <name>kv::SessionsSelection</name>
    <message>
        <source>The list changed while rows of it were being selected. Please select them again.</source>
        <translation>选择行时列表发生了变化。请重新选择。</translation>
    </message>
</context>
<context>
    <name>kv::SettingsPage</name>
    <message>
        <source>Configuration</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>The configuration file</source>
        <translation>配置文件</translation>
    </message>
    <message>
        <source>Open in &amp;editor</source>
        <translation>在编辑器中打开(&amp;E)</translation>
    </message>
    <message>
        <source>Comments in the file stay, whatever is changed here.</source>
        <translation>无论在此处更改什么，文件中的注释都会保留。</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Enter goes to the field.</source>
        <translation>按 Enter 键转到对应的字段。</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Re&amp;vert</source>
        <translation>还原(&amp;V)</translation>
    </message>
    <message>
        <source>Drops all that was changed here and not applied.</source>
        <translation>放弃在此处所做但尚未应用的所有更改。</translation>
    </message>
    <message>
        <source>A&amp;pply</source>
        <translation>应用(&amp;P)</translation>
    </message>
    <message>
        <source>The daemon checks the changes, writes them to the file and uses them.</source>
        <translation>守护进程会检查更改，写入文件并使其生效。</translation>
    </message>
    <message>
        <source>Ser&amp;vers</source>
        <translation>服务器(&amp;V)</translation>
    </message>
    <message>
        <source>Pr&amp;oviders</source>
        <translation>提供方(&amp;O)</translation>
    </message>
    <message>
        <source>Savin&amp;g</source>
        <translation>保存(&amp;G)</translation>
    </message>
    <message>
        <source>Restorin&amp;g</source>
        <translation>恢复(&amp;G)</translation>
    </message>
    <message>
        <source>Sp&amp;ace</source>
        <translation>空间(&amp;A)</translation>
    </message>
    <message>
        <source>This pro&amp;gram</source>
        <translation>本程序(&amp;G)</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message>
        <source>%1 (will be made)</source>
        <translation>%1（将会创建）</translation>
    </message>
    <message>
        <source>There are changes that are not applied yet.</source>
        <translation>有更改尚未应用。</translation>
    </message>
    <message>
        <source>Line %1, %2</source>
        <translation>第 %1 行，%2</translation>
    </message>
    <message>
        <source>The file was changed</source>
        <translation>文件已被更改</translation>
    </message>
    <message>
        <source>Somebody else changed the configuration since it was read here.</source>
        <translation>在此处读取配置之后，配置又在别处被更改。</translation>
    </message>
    <message>
        <source>Your changes can be made in the file as it is now, where they overwrite the same settings and nothing else. Or the file is read anew, and your changes are lost.</source>
        <translation>您的更改可以写入现在的文件，只会覆盖相同的设置，不影响其他内容。也可以重新读取文件，但会丢失您的更改。</translation>
    </message>
    <message>
        <source>Make &amp;my changes there</source>
        <translation>写入我的更改(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Read the file anew</source>
        <translation>重新读取文件(&amp;R)</translation>
    </message>
    <message>
        <source>Unsaved settings</source>
        <translation>未保存的设置</translation>
    </message>
    <message>
        <source>Some settings were changed but not applied.</source>
        <translation>有些设置已更改但尚未应用。</translation>
    </message>
    <message>
        <source>Without applying them the changes are lost.</source>
        <translation>如果不应用，更改将会丢失。</translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation>应用(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Drop the changes</source>
        <translation>放弃更改(&amp;D)</translation>
    </message>
    <message>
        <source>Se&amp;ttings</source>
        <translation>设置(&amp;T)</translation>
    </message>
</context>
<context>
    <name>kv::SettingsPresenter</name>
    <message>
        <source>Its settings leave the configuration, and its sessions are not kept warm any more. No conversation is lost, and nothing happens before you apply.</source>
        <translation>它的设置将从配置中移除，它的会话不再保持预热。不会丢失任何对话，并且在您应用之前不会有任何变化。</translation>
    </message>
    <message numerus="yes">
        <source>%n provider(s) that go to it are removed too: %1.</source>
        <translation>
            <numerusform>使用它的 %n 个提供方也会移除：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the configuration…</source>
        <translation>正在读取配置…</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>未写入任何内容。</translation>
    </message>
    <message>
        <source>The daemon checks the changes…</source>
        <translation>守护进程正在检查更改…</translation>
    </message>
    <message numerus="yes">
        <source>Nothing was written: %n error(s).</source>
        <translation>
            <numerusform>未写入任何内容：有 %n 个错误。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The file has %n error(s); the daemon goes on with what it read before.</source>
        <translation>
            <numerusform>文件有 %n 个错误；守护进程继续使用之前读取的配置。</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved. Nothing changes for the daemon.</source>
        <translation>已保存。对守护进程没有影响。</translation>
    </message>
    <message>
        <source>Saved and in force: %1.</source>
        <translation>已保存并生效：%1。</translation>
    </message>
    <message>
        <source>Restart the daemon for: %1.</source>
        <translation>重启守护进程后才生效：%1。</translation>
    </message>
    <message>
        <source>Nothing was written: somebody else changed the file meanwhile.</source>
        <translation>未写入任何内容：文件在此期间已在别处被更改。</translation>
    </message>
</context>
<context>
    <name>kv::SettingsProgram</name>
    <message>
        <source>These concern this program, not the daemon, and act at once.</source>
        <translation>以下设置针对本程序而非守护进程，并且立即生效。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Start with the &amp;session, in the tray</source>
        <translation>登录时自动启动，驻留在托盘中(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>Set up with the assis&amp;tant…</source>
        <translation>使用向导设置(&amp;T)…</translation>
    </message>
    <message>
        <source>Finds servers, checks them and writes the configuration.</source>
        <translation>查找并检查服务器，然后写入配置。</translation>
    </message>
    <message>
        <source>Notify me when</source>
        <translation>在以下情况通知我</translation>
    </message>
    <message>
        <source>sessions are not kept warm &amp;any more</source>
        <translation>会话不再保持预热(&amp;A)</translation>
    </message>
    <message>
        <source>a &amp;model does not reuse what was restored</source>
        <translation>模型不复用已恢复的会话(&amp;M)</translation>
    </message>
    <message>
        <source>the &amp;disk is nearly full</source>
        <translation>磁盘空间即将用尽(&amp;D)</translation>
    </message>
    <message>
        <source>it &amp;works again</source>
        <translation>恢复正常(&amp;W)</translation>
    </message>
    <message>
        <source>Mini monitor</source>
        <translation>迷你监视器</translation>
    </message>
    <message>
        <source>Stays on &amp;top of other windows</source>
        <translation>保持在其他窗口之上(&amp;T)</translation>
    </message>
    <message>
        <source>Takes effect when this program is started anew.</source>
        <translation>重新启动本程序后生效。</translation>
    </message>
    <message>
        <source>Of the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>%1 was not written by this program and is left alone.</source>
        <translation>%1 不是由本程序写入的，因此保持原样。</translation>
    </message>
</context>
<context>
    <name>kv::SettingsProviders</name>
    <message>
        <source>A provider is the name under which your harness calls the endpoint. Only those listed here are kept warm; nothing else is touched.</source>
        <translation>提供方是您的 harness 对端点的称呼。只有此处列出的提供方会保持预热，其他一概不受影响。</translation>
    </message>
    <message>
        <source>A&amp;dd a provider</source>
        <translation>添加提供方(&amp;D)</translation>
    </message>
    <message>
        <source>The file lists the names only. Write “name: server” there to change them here.</source>
        <translation>文件中只列出了名称。要在此处更改，请在文件中写成“名称: 服务器”。</translation>
    </message>
    <message>
        <source>Add a server first: until then the one that is found serves every provider.</source>
        <translation>请先添加服务器：在此之前，所有提供方都使用自动找到的服务器。</translation>
    </message>
    <message>
        <source>No provider goes to a server yet, so nothing is kept warm.</source>
        <translation>还没有提供方使用任何服务器，因此没有会话保持预热。</translation>
    </message>
    <message>
        <source>Name of provider %1</source>
        <translation>提供方 %1 的名称</translation>
    </message>
    <message>
        <source>As your harness calls it; “*” is every provider without a row of its own.</source>
        <translation>您的 harness 对它的称呼；“*”表示所有没有单独列出的提供方。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove provider %1</source>
        <translation>移除提供方 %1</translation>
    </message>
    <message>
        <source>Server of provider %1</source>
        <translation>提供方 %1 的服务器</translation>
    </message>
    <message>
        <source>Servers of provider %1, by model</source>
        <translation>提供方 %1 按模型选择的服务器</translation>
    </message>
    <message>
        <source>By the model&apos;s name, the first that fits. Edit this in the file.</source>
        <translation>按模型名称选择，以第一个匹配的为准。请在文件中编辑。</translation>
    </message>
    <message>
        <source>A provider needs a name.</source>
        <translation>提供方需要名称。</translation>
    </message>
    <message>
        <source>Another row has this name.</source>
        <translation>另一行已使用此名称。</translation>
    </message>
    <message>
        <source>Goes to a server by model: edited in the file.</source>
        <translation>按模型选择服务器：请在文件中编辑。</translation>
    </message>
</context>
<context>
    <name>kv::SettingsRestoring</name>
    <message>
        <source>Bringing a session back</source>
        <translation>恢复会话</translation>
    </message>
    <message>
        <source>&amp;Restore saved sessions</source>
        <translation>恢复已保存的会话(&amp;R)</translation>
    </message>
    <message>
        <source>Off: sessions are saved, but every one starts cold.</source>
        <translation>关闭时：会话会保存，但每次都冷启动。</translation>
    </message>
    <message>
        <source>&amp;Verification</source>
        <translation>验证(&amp;V)</translation>
    </message>
    <message>
        <source>A session &amp;without a saved state</source>
        <translation>没有已保存状态的会话(&amp;W)</translation>
    </message>
    <message>
        <source>When something fails</source>
        <translation>出现故障时</translation>
    </message>
    <message>
        <source>&amp;Fail the request instead of starting cold</source>
        <translation>让请求失败，而不是冷启动(&amp;F)</translation>
    </message>
    <message>
        <source>Strict: a session that cannot be saved or restored stops its request with an error. Usually a cold start, which only takes longer, is better.</source>
        <translation>严格：会话无法保存或恢复时，以错误中止其请求。通常冷启动更好，只是耗时更长。</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>整体</translation>
    </message>
    <message>
        <source>&amp;Keep sessions warm</source>
        <translation>保持会话预热(&amp;K)</translation>
    </message>
    <message>
        <source>Off: the daemon runs, but leaves all servers alone.</source>
        <translation>关闭时：守护进程继续运行，但不干预任何服务器。</translation>
    </message>
</context>
<context>
    <name>kv::SettingsSaving</name>
    <message>
        <source>When a session is saved</source>
        <translation>何时保存会话</translation>
    </message>
    <message>
        <source>Before its slot goes to &amp;another session</source>
        <translation>其槽位转给其他会话之前(&amp;A)</translation>
    </message>
    <message>
        <source>Without it a session that is pushed out starts cold when it comes back.</source>
        <translation>如果关闭，被挤出的会话再次使用时将冷启动。</translation>
    </message>
    <message>
        <source>When the &amp;daemon stops</source>
        <translation>守护进程停止时(&amp;D)</translation>
    </message>
    <message>
        <source>When the client has &amp;written its log</source>
        <translation>客户端写完其日志时(&amp;W)</translation>
    </message>
    <message>
        <source>When the client &amp;closes the session</source>
        <translation>客户端关闭会话时(&amp;C)</translation>
    </message>
    <message>
        <source>After each t&amp;urn</source>
        <translation>每轮对话之后(&amp;U)</translation>
    </message>
    <message>
        <source>Writes more, and loses less after a power cut.</source>
        <translation>写入更多，但断电时损失更少。</translation>
    </message>
    <message>
        <source>After each st&amp;ep of a turn</source>
        <translation>一轮对话中的每个步骤之后(&amp;E)</translation>
    </message>
    <message>
        <source>Writes a lot: a turn may have dozens of steps.</source>
        <translation>写入量很大：一轮对话可能有几十个步骤。</translation>
    </message>
    <message>
        <source>After this time of &amp;quiet (ms)</source>
        <translation>空闲达到此时长后（毫秒）(&amp;Q)</translation>
    </message>
    <message>
        <source>Milliseconds without a request; “off” for never.</source>
        <translation>没有请求的毫秒数；“off”表示从不。</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>&amp;Smallest session</source>
        <translation>最小会话(&amp;S)</translation>
    </message>
    <message>
        <source>Shorter ones are not saved: a number of tokens, or “auto”.</source>
        <translation>更短的会话不保存：填写 token 数，或“auto”。</translation>
    </message>
    <message>
        <source>&amp;Written per day, at most</source>
        <translation>每日最多写入(&amp;W)</translation>
    </message>
    <message>
        <source>To spare the disk; background saves stop near it. Like 50GB, 20GiB or “off”.</source>
        <translation>用于保护磁盘；接近此值时停止后台保存。例如 50GB、20GiB 或“off”。</translation>
    </message>
    <message>
        <source>Wait for a &amp;quiet server (ms)</source>
        <translation>等待服务器空闲（毫秒）(&amp;Q)</translation>
    </message>
    <message>
        <source>A background save waits at most this long for the server to have nothing else to do.</source>
        <translation>后台保存最多等待这么久，直到服务器没有其他任务。</translation>
    </message>
    <message>
        <source>Sessions that another &amp;one started</source>
        <translation>由其他会话启动的会话(&amp;O)</translation>
    </message>
</context>
<context>
    <name>kv::SettingsSchema</name>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>by what saving costs and gains</source>
        <translation>根据保存的成本和收益</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 token</translation>
    </message>
</context>
<context>
    <name>kv::SettingsServers</name>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>A&amp;dd</source>
        <translation>添加(&amp;D)</translation>
    </message>
    <message>
        <source>Re&amp;move…</source>
        <translation>移除(&amp;M)…</translation>
    </message>
    <message>
        <source>No server is configured: the first llama-server that answers on the ports 8080 and 9931 of this machine is used. Add one to choose it yourself.</source>
        <translation>未配置服务器：使用本机端口 8080 和 9931 上第一个应答的 llama-server。要自行选择，请添加一个。</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>How it is called here and in the file. Saved sessions belong to a name: with another one they start cold once.</source>
        <translation>此处和文件中使用的名称。已保存的会话与名称绑定：改名后会冷启动一次。</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <source>Of llama-server itself, without /v1.</source>
        <translation>llama-server 本身的地址，不带 /v1。</translation>
    </message>
    <message>
        <source>&amp;Test connection</source>
        <translation>测试连接(&amp;T)</translation>
    </message>
    <message>
        <source>Runs the doctor on this address. Nothing on the server is changed.</source>
        <translation>对此地址运行诊断。不会更改服务器上的任何内容。</translation>
    </message>
    <message>
        <source>API key, in a &amp;file</source>
        <translation>存放 API 密钥的文件(&amp;F)</translation>
    </message>
    <message>
        <source>Better than in the configuration: only the path stands there.</source>
        <translation>比写在配置中更好：配置中只有路径。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>or the &amp;key itself</source>
        <translation>或密钥本身(&amp;K)</translation>
    </message>
    <message>
        <source>Stands readable in the configuration file.</source>
        <translation>将以可读形式保存在配置文件中。</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>使用方式(&amp;U)</translation>
    </message>
    <message>
        <source>Number of the &amp;slot</source>
        <translation>槽位编号(&amp;S)</translation>
    </message>
    <message>
        <source>Of “One slot”: which one, from 0.</source>
        <translation>用于“单个槽位”：使用哪一个，从 0 开始。</translation>
    </message>
    <message>
        <source>Keep the &amp;last slot for titles and the like</source>
        <translation>保留最后一个槽位，用于生成标题之类的请求(&amp;L)</translation>
    </message>
    <message>
        <source>Of “All slots”.</source>
        <translation>用于“所有槽位”。</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Sa&amp;ved states</source>
        <translation>已保存的状态(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>What llama-server got as --slot-save-path, as seen from here.</source>
        <translation>llama-server 的 --slot-save-path 所指的文件夹，以本机所见的路径填写。</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>&amp;Runtime key</source>
        <translation>运行环境标识(&amp;R)</translation>
    </message>
    <message>
        <source>Change it when you change something of the server that nobody can see; saved states of the old one are not used then.</source>
        <translation>当您更改了服务器上无法自动察觉的内容时，请更改此标识；之后不再使用原标识下保存的状态。</translation>
    </message>
    <message>
        <source>&amp;Patience (ms)</source>
        <translation>等待时限（毫秒）(&amp;P)</translation>
    </message>
    <message>
        <source>How long an answer of the server may take.</source>
        <translation>等待服务器应答的最长时间。</translation>
    </message>
    <message>
        <source>has an error</source>
        <translation>有错误</translation>
    </message>
    <message>
        <source>The file has the short form with one “backend:”. For several servers, write “servers:” in the file.</source>
        <translation>文件使用只有一个“backend:”的简短写法。要使用多个服务器，请在文件中写“servers:”。</translation>
    </message>
    <message>
        <source>Remove a server</source>
        <translation>移除服务器</translation>
    </message>
    <message>
        <source>Remove the server “%1”?</source>
        <translation>要移除服务器“%1”吗？</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>A server needs a name.</source>
        <translation>服务器需要名称。</translation>
    </message>
    <message>
        <source>Another server has this name.</source>
        <translation>另一个服务器已使用此名称。</translation>
    </message>
    <message>
        <source>Test of %1</source>
        <translation>测试 %1</translation>
    </message>
    <message>
        <source>Folder of the slot files</source>
        <translation>槽位文件所在的文件夹</translation>
    </message>
    <message>
        <source>File with the API key</source>
        <translation>存放 API 密钥的文件</translation>
    </message>
</context>
<context>
    <name>kv::SettingsSpace</name>
    <message>
        <source>Saved states are let go, oldest first</source>
        <translation>何时移除已保存的状态（最旧的优先）</translation>
    </message>
    <message>
        <source>When together they take &amp;more than</source>
        <translation>总大小超过(&amp;M)</translation>
    </message>
    <message>
        <source>Like 100GB, 80GiB or “off”.</source>
        <translation>例如 100GB、80GiB 或“off”。</translation>
    </message>
    <message>
        <source>When the disk has &amp;less free than</source>
        <translation>磁盘剩余空间少于(&amp;L)</translation>
    </message>
    <message>
        <source>Like 5GB, 4GiB or “off”. No save begins that would leave less.</source>
        <translation>例如 5GB、4GiB 或“off”。如果保存后剩余空间会少于此值，则不进行保存。</translation>
    </message>
    <message>
        <source>When there are more &amp;sessions than</source>
        <translation>会话数量超过(&amp;S)</translation>
    </message>
    <message>
        <source>A number, or “off”.</source>
        <translation>数字，或“off”。</translation>
    </message>
    <message>
        <source>When not used for this many &amp;days</source>
        <translation>未使用天数超过(&amp;D)</translation>
    </message>
    <message>
        <source>Days on which the daemon ran; a number, or “off”.</source>
        <translation>只计守护进程运行的日子；填写数字，或“off”。</translation>
    </message>
    <message>
        <source>Pinned sessions are never let go. What is let go costs only time: the session starts cold when it comes back.</source>
        <translation>已固定的会话永远不会移除。移除只会损失时间：会话再次使用时将冷启动。</translation>
    </message>
</context>
<context>
    <name>kv::SettingsText</name>
    <message>
        <source>One slot</source>
        <translation>单个槽位</translation>
    </message>
    <message>
        <source>All sessions take turns in one slot. For llama-server with --parallel 1.</source>
        <translation>所有会话轮流使用一个槽位。适用于以 --parallel 1 启动的 llama-server。</translation>
    </message>
    <message>
        <source>All slots</source>
        <translation>所有槽位</translation>
    </message>
    <message>
        <source>Sessions are spread over all slots. The client has to put id_slot into its requests.</source>
        <translation>会话分布在所有槽位上。客户端必须在请求中填写 id_slot。</translation>
    </message>
    <message>
        <source>Left to the server</source>
        <translation>交由服务器管理</translation>
    </message>
    <message>
        <source>Works everywhere. Files can neither be checked before a restore nor deleted.</source>
        <translation>适用于任何环境。恢复前无法检查文件，也无法删除文件。</translation>
    </message>
    <message>
        <source>Looked after by kv-persist</source>
        <translation>由 kv-persist 管理</translation>
    </message>
    <message>
        <source>Files are checked before a restore and deleted when they are let go. Needs the folder that llama-server got as --slot-save-path.</source>
        <translation>恢复前检查文件，移除时删除文件。需要 llama-server 的 --slot-save-path 所指的文件夹。</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>What the server says after a restore is not compared with what was saved.</source>
        <translation>不将服务器恢复后报告的内容与保存时的内容进行比较。</translation>
    </message>
    <message>
        <source>Basic</source>
        <translation>基本</translation>
    </message>
    <message>
        <source>What the server restored is compared with what was saved; when it differs, the session starts cold. Costs nothing.</source>
        <translation>将服务器恢复的内容与保存时的内容进行比较；如有不同，会话将冷启动。没有额外开销。</translation>
    </message>
    <message>
        <source>Strict</source>
        <translation>严格</translation>
    </message>
    <message>
        <source>Also compares the whole file with its checksum before, where kv-persist looks after the files, and asks the server again after. Each restore reads its file twice.</source>
        <translation>在由 kv-persist 管理文件时，恢复前还会用校验和核对整个文件，恢复后再次询问服务器。每次恢复都要读取文件两次。</translation>
    </message>
    <message>
        <source>Keep what is in the slot</source>
        <translation>保留槽位中的内容</translation>
    </message>
    <message>
        <source>Empty the slot first</source>
        <translation>先清空槽位</translation>
    </message>
    <message>
        <source>Restore a shared beginning</source>
        <translation>恢复共用的开头</translation>
    </message>
    <message>
        <source>While they run</source>
        <translation>在其运行期间</translation>
    </message>
    <message>
        <source>The state of a session that another one started is let go when it ends.</source>
        <translation>由其他会话启动的会话结束时，移除其状态。</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Like any other session</source>
        <translation>与其他会话相同</translation>
    </message>
    <message>
        <source>What the new prompt and the one in the slot have in common is reused, nothing else. Costs nothing.</source>
        <translation>只重用新提示与槽位中提示相同的部分。没有额外开销。</translation>
    </message>
    <message>
        <source>A new session begins in an empty slot, where the server allows it: its whole prompt is processed.</source>
        <translation>新会话从空槽位开始（若服务器允许）：其整个提示都要处理。</translation>
    </message>
    <message>
        <source>A new session starts from what earlier ones of its provider began with, system prompt and tools, or from the session it was branched from. Costs one early save for each such beginning, and its file; until there is one, the slot is kept as it is.</source>
        <translation>新会话从同一提供方先前会话的开头（系统提示和工具）或它所分出的会话开始。每个这样的开头要提前保存一次并占用其文件；在此之前槽位保持原样。</translation>
    </message>
</context>
<context>
    <name>kv::SocketClient</name>
    <message>
        <source>The daemon at %1 did not answer within %2 ms. It hangs, or another program listens there.</source>
        <translation>%1 处的守护进程未在 %2 毫秒内应答。它可能已挂起，或有其他程序在那里监听。</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>连接已关闭。</translation>
    </message>
    <message>
        <source>The daemon closed the connection.</source>
        <translation>守护进程关闭了连接。</translation>
    </message>
    <message>
        <source>The daemon at %1 speaks protocol %2, this program speaks %3. Use versions of both that belong together.</source>
        <translation>%1 处的守护进程使用协议 %2，本程序使用 %3。请使用相互匹配的版本。</translation>
    </message>
    <message>
        <source>No daemon runs: there is no socket %1.</source>
        <translation>没有守护进程运行：套接字 %1 不存在。</translation>
    </message>
    <message>
        <source>No daemon runs: nobody listens on %1 any more.</source>
        <translation>没有守护进程运行：%1 上已无人监听。</translation>
    </message>
    <message>
        <source>The daemon&apos;s socket %1 may not be opened by this user.</source>
        <translation>当前用户无权打开守护进程的套接字 %1。</translation>
    </message>
    <message>
        <source>The daemon&apos;s socket %1 cannot be opened: %2.</source>
        <translation>无法打开守护进程的套接字 %1：%2。</translation>
    </message>
    <message>
        <source>What listens on %1 sent a line that is too long. It is not a kv-persist daemon, or a faulty one.</source>
        <translation>在 %1 上监听的程序发送了过长的一行。它不是 kv-persist 守护进程，或已出故障。</translation>
    </message>
    <message>
        <source>What listens on %1 does not speak the protocol of kv-persist.</source>
        <translation>在 %1 上监听的程序不使用 kv-persist 协议。</translation>
    </message>
    <message>
        <source>There is no connection to the daemon at %1.</source>
        <translation>与 %1 处的守护进程没有连接。</translation>
    </message>
    <message>
        <source>The daemon did not answer %1 within %2 ms. It may still do it.</source>
        <translation>守护进程未在 %2 毫秒内应答 %1。它可能仍会完成该操作。</translation>
    </message>
    <message>
        <source>The request is larger than the %1 bytes that the daemon takes.</source>
        <translation>请求超过了守护进程可接受的 %1 字节。</translation>
    </message>
    <message>
        <source>The daemon does not read what it is sent. It is overloaded or hangs.</source>
        <translation>守护进程没有读取发送给它的内容。它可能过载或已挂起。</translation>
    </message>
</context>
<context>
    <name>kv::TimelineModel</name>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n 小时</numerusform>
        </translation>
    </message>
    <message>
        <source>The daemon does not answer; what happened is shown as soon as it does.</source>
        <translation>守护进程没有响应；恢复响应后会显示发生过的事情。</translation>
    </message>
    <message>
        <source>Reading what happened…</source>
        <translation>正在读取历史记录…</translation>
    </message>
    <message>
        <source>No server is configured yet. Add one under Settings.</source>
        <translation>尚未配置服务器。请在“设置”中添加。</translation>
    </message>
    <message>
        <source>No slot was used in this time. Sessions appear here as they work.</source>
        <translation>这段时间内没有使用任何槽位。会话开始工作后会显示在这里。</translation>
    </message>
    <message>
        <source>%1, slot %2</source>
        <translation>%1，槽位 %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message numerus="yes">
        <source>%n marks too close to tell apart, %1 to %2; zoom in to see each</source>
        <translation>
            <numerusform>%n 个标记过于密集，%1 至 %2；放大后可逐个查看</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>its state</source>
        <translation>其状态</translation>
    </message>
    <message>
        <source>%1: has the slot since %2, for %3</source>
        <translation>%1：自 %2 起占用槽位，已 %3</translation>
    </message>
    <message>
        <source>%1: had the slot for %2, %3 to %4</source>
        <translation>%1：占用槽位 %2，%3 至 %4</translation>
    </message>
    <message>
        <source>%1: answering for %2, since %3</source>
        <translation>%1：正在回答，已 %2，自 %3 起</translation>
    </message>
    <message>
        <source>%1: answered for %2, %3</source>
        <translation>%1：回答用时 %2，%3</translation>
    </message>
    <message>
        <source>%1: saving since %2</source>
        <translation>%1：自 %2 起正在保存</translation>
    </message>
    <message>
        <source>%1: saved %2 in %3, %4</source>
        <translation>%1：保存 %2，用时 %3，%4</translation>
    </message>
    <message>
        <source>%1: restoring since %2</source>
        <translation>%1：自 %2 起正在恢复</translation>
    </message>
    <message>
        <source>%1: restored %2 in %3, %4</source>
        <translation>%1：恢复 %2，用时 %3，%4</translation>
    </message>
    <message>
        <source>%1: failed with %2, %3</source>
        <translation>%1：失败，%2，%3</translation>
    </message>
    <message>
        <source>The daemon is away; this is what was known at %1.</source>
        <translation>守护进程不在运行；这是 %1 时的情况。</translation>
    </message>
</context>
<context>
    <name>kv::TimelineView</name>
    <message>
        <source>answering</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>restored</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Timeline of the slots</source>
        <translation>槽位时间线</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>The arrow keys go through what happened, plus and minus zoom.</source>
        <translation>方向键可逐项查看，加减键可缩放。</translation>
    </message>
    <message numerus="yes">
        <source>%n switch(es)</source>
        <translation>
            <numerusform>切换 %n 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>thrashing, %n switch(es)</source>
        <translation>
            <numerusform>频繁争抢，切换 %n 次</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::TrayIcon</name>
    <message>
        <source>That did not work</source>
        <translation>操作未成功</translation>
    </message>
    <message>
        <source>&amp;Save now</source>
        <translation>立即保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>For &amp;10 minutes</source>
        <translation>10 分钟(&amp;1)</translation>
    </message>
    <message>
        <source>For an &amp;hour</source>
        <translation>1 小时(&amp;H)</translation>
    </message>
    <message>
        <source>Until &amp;resumed</source>
        <translation>直到手动继续(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Mini monitor</source>
        <translation>迷你监视器(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Doctor</source>
        <translation>诊断(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
</context>
<context>
    <name>kv::TrayIconPresenter</name>
    <message>
        <source>Looking for the daemon …</source>
        <translation>正在查找守护进程…</translation>
    </message>
    <message>
        <source>Switched off in the configuration</source>
        <translation>已在配置中关闭</translation>
    </message>
    <message>
        <source>No server was found</source>
        <translation>没有找到服务器</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>server: its state</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Ready, no session yet</source>
        <translation>就绪，尚无会话</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>session: what is known of it</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>, </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>server: who has its slot</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>kv::TrayOptions</name>
    <message>
        <source>Shows and steers kv-persist in the tray.</source>
        <translation>在托盘中显示并控制 kv-persist。</translation>
    </message>
    <message>
        <source>The daemon&apos;s socket. Default: $KV_PERSIST_SOCKET, else $XDG_RUNTIME_DIR/kv-persist/api.sock.</source>
        <translation>守护进程的套接字。默认：$KV_PERSIST_SOCKET，否则为 $XDG_RUNTIME_DIR/kv-persist/api.sock。</translation>
    </message>
    <message>
        <source>Open the window on this page: overview, sessions, activity, doctor or settings.</source>
        <translation>打开窗口并显示此页面：overview、sessions、activity、doctor 或 settings。</translation>
    </message>
    <message>
        <source>Start without a window, as at the start of a session.</source>
        <translation>启动时不显示窗口，如同登录时自动启动。</translation>
    </message>
    <message>
        <source>Render every page with a sample state into this folder, and end.</source>
        <translation>用示例数据将每个页面渲染到此文件夹，然后退出。</translation>
    </message>
    <message>
        <source>Another kv-persist-tray runs but does not answer. End it and try again.</source>
        <translation>另一个 kv-persist-tray 正在运行但没有响应。请结束它后重试。</translation>
    </message>
</context>
<context>
    <name>kv::TrayStateText</name>
    <message>
        <source>All sessions are warm</source>
        <translation>所有会话均已预热</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>正在工作</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>需要处理</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>No server answers</source>
        <translation>没有服务器应答</translation>
    </message>
    <message>
        <source>The daemon is away</source>
        <translation>守护进程不在运行</translation>
    </message>
</context>
<context>
    <name>kv::YamlEdit</name>
    <message>
        <source>“%1” is written in a way that cannot be changed from here without risk to the rest. Edit this in the file.</source>
        <translation>“%1”的写法无法在此处更改，否则可能影响其余内容。请在文件中编辑。</translation>
    </message>
</context>
<context>
    <name>kv::YamlEditTree</name>
    <message>
        <source>an alias stands inside of what it names</source>
        <translation>别名出现在它所指的内容之中</translation>
    </message>
    <message>
        <source>this is nested too deep</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>there are too many values</source>
        <translation>值过多</translation>
    </message>
    <message>
        <source>a key must be a name</source>
        <translation>键必须是名称</translation>
    </message>
    <message>
        <source>it holds more than one document</source>
        <translation>包含多个文档</translation>
    </message>
    <message>
        <source>The file cannot be read as YAML (line %1: %2). Correct it in an editor.</source>
        <translation>无法将文件作为 YAML 读取（第 %1 行：%2）。请在编辑器中改正。</translation>
    </message>
    <message>
        <source>The file cannot be read as YAML: %1. Correct it in an editor.</source>
        <translation>无法将文件作为 YAML 读取：%1。请在编辑器中改正。</translation>
    </message>
</context>
</TS>
