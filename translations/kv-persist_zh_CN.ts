<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>kv::ActivityPage</name>
    <message>
        <source>Filter by event, server, session or text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>While paused, new events are left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Activity</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::App</name>
    <message>
        <source>This desktop has no tray, so the window is shown instead.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::AppScreenshots</name>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be removed: %2. Remove it yourself to keep the program from starting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder %1 cannot be made, so the program will not start by itself. Check the folder&apos;s rights.</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last %1, largest %2</source>
        <translation type="unfinished"></translation>
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
        <source>also save and restore a small state in an idle slot</source>
        <translation>还在空闲槽位中保存并恢复一个小状态</translation>
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
</context>
<context>
    <name>kv::DaemonStarter</name>
    <message>
        <source>The daemon was started but does not answer. Run “%1” in a terminal: it says what is wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service %1 did not start. “journalctl --user -u %1” shows why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program %1 was not found, neither beside this one nor in PATH. Install kv-persist again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 could not be started. Is it allowed to be run?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::DoctorCard</name>
    <message>
        <source>What to do: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts “%1” on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::DoctorDialog</name>
    <message>
        <source>The checks run</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::DoctorList</name>
    <message>
        <source>Checks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In general</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::DoctorModel</name>
    <message>
        <source>Start llama-server with %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the setting %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[%1] %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[%1] %2, %3: %4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::DoctorPage</name>
    <message>
        <source>C&amp;heck</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which server is looked at. Nothing on it is changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run the checks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends the checks; what was found so far stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as &amp;text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts all that was found on the clipboard, to ask somebody about it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API &amp;key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only if the server wants one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The checks run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All configured servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another address…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Doctor</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::DoctorPresenter</name>
    <message>
        <source>The doctor looks at a server without changing anything, and says what to do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Checking… %n check(s) done</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ready. All %n check(s) passed.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ready, with %n warning(s).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not ready: %n check(s) failed.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped before the end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The daemon does not answer. Start it, then run the doctor again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::EventsModel</name>
    <message>
        <source>%1 tokens</source>
        <translation type="unfinished">%1 token</translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::FirstStartDialog</name>
    <message>
        <source>Set up kv-persist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which server?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your sessions are kept warm on a llama-server. It is only looked at here, nothing on it is changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Servers found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API &amp;key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only if the server wants one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Is it ready?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The doctor looks whether the state of its slots can be saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The checks run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check a&amp;gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After you started the server anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is it called?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The configuration names the server, and what your harness calls it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Letters, digits, “-”, “_” and “.”; shown in all lists.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As your harness calls the endpoint; “*” is every name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The provider is the name under which your harness calls this endpoint, such as “llamacpp”. Only this provider is kept warm. With “*” every provider goes to this server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From now on sessions come back in moments instead of minutes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Start with the session, in the tray</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DeepSeek Harness (dsh)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A plugin tells kv-persist when a model call begins and ends. Add it to each profile that you use, then start dsh anew:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command that adds the plugin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other programs are told how in the protocol page of kv-persist.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Write the configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 You can go on and put it right later.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::FirstStartPresenter</name>
    <message numerus="yes">
        <source>%n slot(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>missing: %1</source>
        <translation type="unfinished">缺少：%1</translation>
    </message>
    <message>
        <source>Looking for servers on this machine…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No llama-server was found on the usual ports of this machine. Start one and look again, or type its address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n server(s) found. Choose one, or type an address.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Writing the configuration…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation type="unfinished">已写入 %1。</translation>
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
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kv-persist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The daemon is being started …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The daemon is away: sessions are neither saved nor restored. %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::MiniMonitor</name>
    <message>
        <source>Keep on &amp;top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kv-persist monitor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cold</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::NotificationPresenter</name>
    <message>
        <source>kv-persist works again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions are saved and restored as before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One trouble is over. Another is left: see the overview.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Persistence rests for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too many calls failed. It is tried again by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server cannot save as it was started.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model %1 does not reuse restored sessions with this build of llama-server. A newer one may help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is nearly full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are free where %2 keeps its snapshots, and %3 shall stay free: soon nothing is saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Storage is nearly full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Snapshots take %1 of the %2 they may. The oldest that are not pinned make room for new ones.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::OverviewPage</name>
    <message>
        <source>&amp;Mini monitor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the same in a small window that can stay on top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs your attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs your attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <comment>name, value and detail of a number</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::OverviewPresenter</name>
    <message>
        <source>The daemon is away. Requests go on without it, only colder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for the daemon …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No llama-server was found. Start one with --slot-save-path FOLDER, or name it in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left</source>
        <comment>tokens of context</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last used %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) wait</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>–</source>
        <comment>no value yet</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time saved today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processing of prompts that was not needed, less the time that restoring took.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restored well</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the sessions with a snapshot that came back, how many were restored well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the restores that a request followed, how many the server reused whole.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cold starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>of %n request(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Requests whose whole prompt had to be processed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of all snapshots, against retention.maxTotalBytes. The forecast takes all that was written today as new, so there is room for at least that long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>full: the oldest make room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>room for more than a year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>full within a day</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>room for %n day(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>none yet</source>
        <comment>time</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No time saved yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved %1 today, %2 in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved %1 in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished">%1 秒</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>what runs, for how long</comment>
        <translation type="unfinished">%1，%2</translation>
    </message>
</context>
<context>
    <name>kv::OverviewServerCard</name>
    <message>
        <source>Server %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>owner (model)</comment>
        <translation type="unfinished">%1（%2）</translation>
    </message>
</context>
<context>
    <name>kv::OverviewText</name>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last calls failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resting after too many failures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying again after failures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot save as it was started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sleeping: its model is unloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not reuse restored sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused until resumed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused %1</source>
        <comment>until a time</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>content not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>being restored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>being saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of use after an error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>late: an operation may still run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restoring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Emptying</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation type="unfinished">%1 token</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill %1, generating %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generating %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>until %1</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SessionDetails</name>
    <message>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Snapshot of %1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last restored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reuse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished">是</translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished">否</translation>
    </message>
    <message>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File and compatibility</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compatibility</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model fingerprint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runtime fingerprint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runtime it was computed under</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SessionDetailsDialog</name>
    <message>
        <source>Requests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last week</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Span of the chart</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SessionExport</name>
    <message>
        <source>%1 cannot be written: %2. Choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The export was cancelled; nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was exported: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) exported to %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SessionText</name>
    <message>
        <source>valid</source>
        <translation type="unfinished">有效</translation>
    </message>
    <message>
        <source>suspect</source>
        <translation type="unfinished">可疑</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>invalid</source>
        <translation type="unfinished">无效</translation>
    </message>
    <message>
        <source>reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>partly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server runs another model now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is of another build now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server&apos;s context is too small for it now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server was started with other slots.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server runs with other LoRA adapters now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server keeps its cache in another format now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The runtime key in the configuration changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was written by another version of kv-persist.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its record is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its file is gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its file has another size than when it was saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its file does not begin as a snapshot does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its file was changed after it was saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The machine stopped without warning soon after it was saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restoring it failed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server died while it was restored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After its last restore the server reused nothing of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was invalidated by hand.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SessionsModel</name>
    <message>
        <source>%1, slot %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reuse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SessionsPage</name>
    <message>
        <source>Filter by name, session, model or server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows only sessions with this text (Ctrl+F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sh&amp;ow:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows only snapshots in this state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;lear the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Valid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suspect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Invalid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished">%1（%2）</translation>
    </message>
    <message>
        <source>Sa&amp;ve now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saves what the session has in its slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Restore now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brings the session into a slot before it is needed; waits for a free one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the snapshot whatever its age and size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Unpin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lets the snapshot go when its time comes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Invalidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The snapshot is not restored any more; the next request starts cold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Forget…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removes the snapshot and its file; asks first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Details…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that is known about the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cop&amp;y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the selected rows as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes all rows that match to a JSON or CSV file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Forget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON (*.json);;CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Sessions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SessionsPresenter</name>
    <message>
        <source>%1: %2</source>
        <comment>a session and what went wrong</comment>
        <translation type="unfinished">%1，%2 {1:?}</translation>
    </message>
    <message>
        <source>Cancelled; %1 of %2 done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>All %n done.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 done; %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was saved already: nothing changed since.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 saved: %2 tokens in %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 restored into slot %2: %3 tokens in %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 will not be restored any more; its next request starts cold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is kept until it is unpinned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 may be removed again for age or space.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 forgotten; its file is emptied as soon as a slot is free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 forgotten.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restoring %1: waiting for a slot…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working on %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget the snapshot of %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Forget %n snapshot(s)?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Only speed is lost: conversations stay as they are, and the server processes %1 tokens anew when they are needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 snapshot(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The daemon does not answer. Its sessions are shown again as soon as it is back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No session is saved yet. Work with a model as usual: the first snapshot appears here a moment after an answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No session matches the filter.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SettingsPage</name>
    <message>
        <source>Configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The configuration file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open in &amp;editor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comments in the file stay, whatever is changed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter goes to the field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;vert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drops all that was changed here and not applied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A&amp;pply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The daemon checks the changes, writes them to the file and uses them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ser&amp;vers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pr&amp;oviders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Savin&amp;g</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restorin&amp;g</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sp&amp;ace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pro&amp;gram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (will be made)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are changes that are not applied yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Somebody else changed the configuration since it was read here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your changes can be made in the file as it is now, where they overwrite the same settings and nothing else. Or the file is read anew, and your changes are lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make &amp;my changes there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Read the file anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some settings were changed but not applied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without applying them the changes are lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Drop the changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Se&amp;ttings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SettingsPresenter</name>
    <message>
        <source>Its settings leave the configuration, and its sessions are not kept warm any more. No conversation is lost, and nothing happens before you apply.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n provider(s) that go to it are removed too: %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the configuration…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The daemon checks the changes…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Nothing was written: %n error(s).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The file has %n error(s); the daemon goes on with what it read before.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Saved. Nothing changes for the daemon.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved and in force: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart the daemon for: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was written: somebody else changed the file meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SettingsProgram</name>
    <message>
        <source>These concern this program, not the daemon, and act at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start with the &amp;session, in the tray</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set up with the assis&amp;tant…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds servers, checks them and writes the configuration.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notify me when</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sessions are not kept warm &amp;any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a &amp;model does not reuse what was restored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the &amp;disk is nearly full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it &amp;works again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mini monitor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stays on &amp;top of other windows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes effect when this program is started anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not written by this program and is left alone.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SettingsProviders</name>
    <message>
        <source>A provider is the name under which your harness calls the endpoint. Only those listed here are kept warm; nothing else is touched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A&amp;dd a provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file lists the names only. Write “name: server” there to change them here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a server first: until then the one that is found serves every provider.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No provider goes to a server yet, so nothing is kept warm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of provider %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As your harness calls it; “*” is every provider without a row of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove provider %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server of provider %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Servers of provider %1, by model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the model&apos;s name, the first that fits. Edit this in the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A provider needs a name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another row has this name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to a server by model: edited in the file.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SettingsRestoring</name>
    <message>
        <source>Bringing a session back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Restore saved sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: sessions are saved, but every one starts cold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Verification</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A session &amp;without a saved state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When something fails</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fail the request instead of starting cold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strict: a session that cannot be saved or restored stops its request with an error. Usually a cold start, which only takes longer, is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keep sessions warm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: the daemon runs, but leaves all servers alone.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SettingsSaving</name>
    <message>
        <source>When a session is saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before its slot goes to &amp;another session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without it a session that is pushed out starts cold when it comes back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the &amp;daemon stops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the client has &amp;written its log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the client &amp;closes the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After each t&amp;urn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes more, and loses less after a power cut.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After each st&amp;ep of a turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes a lot: a turn may have dozens of steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After this time of &amp;quiet (ms)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Milliseconds without a request; “off” for never.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Smallest session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shorter ones are not saved: a number of tokens, or “auto”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Written per day, at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To spare the disk; background saves stop near it. Like 50GB, 20GiB or “off”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait for a &amp;quiet server (ms)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A background save waits at most this long for the server to have nothing else to do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions that another &amp;one started</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SettingsSchema</name>
    <message>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by what saving costs and gains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation type="unfinished">%1 token</translation>
    </message>
</context>
<context>
    <name>kv::SettingsServers</name>
    <message>
        <source>Servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A&amp;dd</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;move…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No server is configured: the first llama-server that answers on the ports 8080 and 9931 of this machine is used. Add one to choose it yourself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it is called here and in the file. Saved sessions belong to a name: with another one they start cold once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of llama-server itself, without /v1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Test connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs the doctor on this address. Nothing on the server is changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API key, in a &amp;file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Better than in the configuration: only the path stands there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>or the &amp;key itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stands readable in the configuration file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of the &amp;slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of “One slot”: which one, from 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the &amp;last slot for titles and the like</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of “All slots”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sa&amp;ved states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What llama-server got as --slot-save-path, as seen from here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Runtime key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change it when you change something of the server that nobody can see; saved states of the old one are not used then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Patience (ms)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long an answer of the server may take.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has an error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has the short form with one “backend:”. For several servers, write “servers:” in the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove a server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the server “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A server needs a name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another server has this name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder of the slot files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File with the API key</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SettingsSpace</name>
    <message>
        <source>Saved states are let go, oldest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When together they take &amp;more than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like 100GB, 80GiB or “off”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the disk has &amp;less free than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like 5GB, 4GiB or “off”. No save begins that would leave less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When there are more &amp;sessions than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number, or “off”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When not used for this many &amp;days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Days on which the daemon ran; a number, or “off”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned sessions are never let go. What is let go costs only time: the session starts cold when it comes back.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::SettingsText</name>
    <message>
        <source>One slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All sessions take turns in one slot. For llama-server with --parallel 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All slots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions are spread over all slots. The client has to put id_slot into its requests.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left to the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Works everywhere. Files can neither be checked before a restore nor deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looked after by kv-persist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files are checked before a restore and deleted when they are let go. Needs the folder that llama-server got as --slot-save-path.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the server says after a restore is not compared with what was saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Basic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the server restored is compared with what was saved; when it differs, the session starts cold. Costs nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also compares the whole file with its checksum before, where kv-persist looks after the files, and asks the server again after. Each restore reads its file twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep what is in the slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the new prompt and the former one have in common is reused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty the slot first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new session begins in an empty slot, where the server allows it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore a shared beginning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As soon as it is there; until then the slot is kept as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>While they run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The state of a session that another one started is let go when it ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like any other session</source>
        <translation type="unfinished"></translation>
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
    <name>kv::TrayIcon</name>
    <message>
        <source>That did not work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For &amp;10 minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For an &amp;hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Until &amp;resumed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Mini monitor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Doctor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::TrayIconPresenter</name>
    <message>
        <source>Looking for the daemon …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switched off in the configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No server was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>server: its state</comment>
        <translation type="unfinished">%1，%2 {1:?}</translation>
    </message>
    <message>
        <source>Ready, no session yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>session: what is known of it</comment>
        <translation type="unfinished">%1，%2 {1:?}</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>server: who has its slot</comment>
        <translation type="unfinished">%1，%2 {1:?}</translation>
    </message>
</context>
<context>
    <name>kv::TrayStateText</name>
    <message>
        <source>All sessions are warm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No server answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The daemon is away</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::YamlEdit</name>
    <message>
        <source>“%1” is written in a way that cannot be changed from here without risk to the rest. Edit this in the file.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>kv::YamlEditTree</name>
    <message>
        <source>an alias stands inside of what it names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is nested too deep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are too many values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a key must be a name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds more than one document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file cannot be read as YAML (line %1: %2). Correct it in an editor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file cannot be read as YAML: %1. Correct it in an editor.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
