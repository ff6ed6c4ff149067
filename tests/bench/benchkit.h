// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QLocalSocket>
#include <QString>
#include <QUrl>

#include <vector>

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
    [[nodiscard]] double lastMicroseconds() const { return m_lastMicroseconds; }

private:
    QLocalSocket m_socket;
    double m_lastMicroseconds = 0;
};

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

// The parts; each gives its part of the JSON. An object with "skipped" says why it could not be measured.
QJsonObject measureOverhead(int rounds);
QJsonObject measureStart(int snapshots);
QJsonObject measureSwitch(int rounds);
/// Fills a metadata folder with rows of server "local", in one transaction.
bool fillSnapshots(const QString &folder, int rows);
/// The table of sessions as the tray holds it, and the tray program itself, without a display.
QJsonObject measureTray(int snapshots);
QJsonObject measureTraffic(int steps);
/// Several slots: two sessions at once, and eight that take turns on four slots.
QJsonObject measureSlots(int turns);
QJsonObject measureProxy(int rounds);
/// Traffic through the proxy for so long; descriptors, memory and leases before and after.
QJsonObject measureSoak(double minutes);
QJsonObject measureFirstToken(const std::vector<int> &promptTokens);

/// Runs as the bare echo server that request round trips are compared with.
int runEchoServer(const QString &path);

} // namespace kv::bench
