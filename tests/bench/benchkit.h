// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QLocalSocket>
#include <QString>
#include <QUrl>

#include <vector>

namespace kv::test {
class RealDaemon;
}

namespace kv::bench {

/// Minimum, median and 95 % of some measurements, in the unit they were taken in.
QJsonObject summary(std::vector<double> values);
double median(std::vector<double> values);

/// Microseconds of CPU that a process (all its threads) has used; −1: not known here.
double cpuMicroseconds(qint64 pid);
/// A line such as "VmRSS" of /proc/PID/status in bytes; −1: not known here.
qint64 memoryBytes(qint64 pid, const QByteArray &line);
/// A counter such as "write_bytes" of /proc/PID/io; −1: not known here.
qint64 ioCounter(qint64 pid, const QByteArray &name);

/// One line out, one line back, blocking: what a plain client does. Times are microseconds.
class LineClient final {
public:
    bool connectTo(const QString &path);
    /// The answer; empty when none came within ten seconds.
    QByteArray ask(const QByteArray &line);
    /// The same, letting this process's event loop run: for servers that live in it.
    QByteArray askRunning(const QByteArray &line);
    void close();
    [[nodiscard]] double lastMicroseconds() const { return m_lastMicroseconds; }

private:
    QLocalSocket m_socket;
    double m_lastMicroseconds = 0;
};

/// Lines of the local API, as a client author would write them, without a JSON library's time.
QByteArray beginLine(int id, const QByteArray &session = "conversation-1");
QByteArray endLine(int id, const QByteArray &lease);
QByteArray leaseIn(const QByteArray &answer);

/// One completion against a llama-server.
struct Completion {
    bool ok = false;
    double firstChunkMs = -1; ///< from sending to the first chunk
    qint64 promptTokens = 0;
    qint64 completionTokens = 0;
    qint64 cachedTokens = 0;
};
/// `idSlot` −1: it names no slot.
Completion complete(const QUrl &server, const QString &prompt, int idSlot = -1, int answerTokens = 4);

/// A session's text of that many characters; the generated models take about one token a character.
QString words(const QString &begin, int characters);
/// `request.end` of a completion without more to come.
QJsonObject endParams(const QJsonValue &lease, const Completion &done);

/// A POST with a JSON body; the answer's JSON, empty on failure.
QJsonObject post(const QUrl &url, const QJsonObject &body);

/// A new server's configuration: provider p on `server`; `more`: further keys of the server, one a line.
QByteArray configFor(const QUrl &server, const QByteArray &more = {});
/// What says why something could not be measured.
QJsonObject skipped(const QString &why);

/// How much is measured.
struct Sizes {
    /// Enough to see that each part works; its numbers mean nothing.
    static Sizes quick();

    int overheadRounds = 5000;
    std::vector<int> startSnapshots { 10'000, 100'000 };
    int startRounds = 5;
    int switchRounds = 60;
    int firstTokenRounds = 3;
    QString denseModel = QStringLiteral("mid-dense");
    QString recurrentModel = QStringLiteral("mid-mamba");
    QStringList serverFlags; ///< of every llama-server
    std::vector<int> promptCharacters { 1500, 6000 };
    int baseCharacters = 7000; ///< about 6 000 tokens
    int baseSessions = 10;
    int listSnapshots = 100'000;
    int listRounds = 9;
    std::vector<int> memorySnapshots { 0, 1000, 10'000, 100'000 };
    std::vector<int> growthSnapshots { 1, 10, 100, 1000, 10'000, 100'000 };
    std::vector<int> growthClients { 1, 2, 4, 8, 16, 32, 64 };
    std::vector<int> growthSlots { 1, 2, 4, 8, 16 };
    int growthRounds = 5; ///< starts of the daemon a number of snapshots
    int pairs = 2000; ///< resident begins and ends a point
    int slotSwitches = 60;
    int slotTurns = 200;
    int slotCharacters = 1000; ///< of each session's first prompt
    int atOnceRounds = 3;
    int atOnceTurns = 8;
    int traySnapshots = 100'000;
    int trayRounds = 9;
    int trayIdleMs = 20'000;
    int trafficSteps = 20;
    int trafficCharacters = 1500;
    int failingRequests = 100;
    int proxyRounds = 400;
    int proxyStreams = 5;
    int proxyChunks = 400;
    double soakMinutes = 5;
    int soakSettleMs = 20'000; ///< before its first look
    int quietMs = 6000; ///< without requests, before each look
};

// The parts; each gives its part of the JSON. An object with "skipped" says why it could not be measured.
QJsonObject measureOverhead(const Sizes &sizes);
QJsonObject measureStarts(const Sizes &sizes);
QJsonObject measureSwitch(const Sizes &sizes);
/// Time to the first token, of each model and length, beside the bare server.
QJsonObject measureFirstToken(const Sizes &sizes);
/// New sessions whose prompts begin alike.
QJsonObject measureBases(const Sizes &sizes);
/// `kv.list` of many snapshots: pages, filters, orders.
QJsonObject measureList(const Sizes &sizes);
/// The daemon's memory against the number of snapshots.
QJsonObject measureMemory(const Sizes &sizes);
/// How cost grows: with snapshots, with clients at once, with slots.
QJsonObject measureGrowth(const Sizes &sizes);
QJsonObject growthOfSnapshots(const Sizes &sizes);
QJsonObject growthOfClients(const Sizes &sizes);
QJsonObject growthOfSlots(const Sizes &sizes);
/// The table of sessions as the tray holds it, and the tray program itself, without a display.
QJsonObject measureTray(const Sizes &sizes);
QJsonObject measureTraffic(const Sizes &sizes);
/// Several slots: two sessions at once, and eight that take turns on four slots.
QJsonObject measureSlots(const Sizes &sizes);
QJsonObject measureProxy(const Sizes &sizes);
/// Traffic through the proxy for some minutes; descriptors, memory and leases before and after.
QJsonObject measureSoak(const Sizes &sizes);

/// Fills a metadata folder with rows of server "local", in one transaction.
bool fillSnapshots(const QString &folder, int rows);
/// Milliseconds from the launch of a daemon to its first answer, over `client`; negative: there was none.
double launchAndAsk(test::RealDaemon &daemon, LineClient &client);

/// Processor, memory, system, llama-server.
QJsonObject machine();

/// Runs as the bare echo server that request round trips are compared with.
int runEchoServer(const QString &path);

} // namespace kv::bench
