// SPDX-License-Identifier: MIT
#pragma once

#include "logfilter.h"
#include "logformat.h"

#include <QLoggingCategory>
#include <QStringList>

#include <functional>
#include <memory>

// One category a part of the program: qCInfo(kv::lcServer) << …, shown as "kv.server".
namespace kv {
Q_DECLARE_LOGGING_CATEGORY(lcBackend)
Q_DECLARE_LOGGING_CATEGORY(lcCli)
Q_DECLARE_LOGGING_CATEGORY(lcClient)
Q_DECLARE_LOGGING_CATEGORY(lcConfig)
Q_DECLARE_LOGGING_CATEGORY(lcCoordinator)
Q_DECLARE_LOGGING_CATEGORY(lcDaemon)
Q_DECLARE_LOGGING_CATEGORY(lcHttp)
Q_DECLARE_LOGGING_CATEGORY(lcProxy)
Q_DECLARE_LOGGING_CATEGORY(lcRuntime)
Q_DECLARE_LOGGING_CATEGORY(lcServer)
Q_DECLARE_LOGGING_CATEGORY(lcSnapshots)
Q_DECLARE_LOGGING_CATEGORY(lcTray)

class Clock;

/// Where finished lines go. May be called from any thread, by one at a time.
using LogSink = std::function<void(const QByteArray &line, const LogRecord &record)>;

struct LogOptions {
    LogLevel level = LogLevel::Info;
    LogFormat format = LogFormat::Text;
    bool journald = false; ///< see stderrIsJournal()
    QStringList secrets; ///< texts that never leave, see redacted()
    LogFilter filter = {}; ///< parts of the program that are louder or quieter than `level`
};

/// The process's logging for as long as this object lives: Qt's message handler and filter rules, redaction,
/// and the rule that one warning's text leaves at most once in 30 s, and of those that differ only in numbers
/// or in what they quote at most five, with the number of those held back. The destructor puts back what was
/// there before; objects must be destroyed in the reverse order of their creation. QT_LOGGING_RULES wins over
/// level and filter. Thread-safe but for creation and destruction.
class Logging final {
public:
    /// `sink` empty: standard error. `clock` must outlive the object; nullptr: the system's.
    explicit Logging(const LogOptions &options, LogSink sink = {}, const Clock *clock = nullptr);
    ~Logging();
    Q_DISABLE_COPY_MOVE(Logging)

    void setOptions(const LogOptions &options);

private:
    friend void logEvent(const QLoggingCategory &, LogLevel, const QString &, const QJsonObject &);
    class Private;
    std::unique_ptr<Private> d;
};

/// A named event with fields, e.g. logEvent(lcRuntime(), LogLevel::Info, u"kv.slot.state"_qs, fields): they
/// stay fields in the JSON form and become "slot=0 state=dirty" in text.
void logEvent(
    const QLoggingCategory &category, LogLevel level, const QString &event, const QJsonObject &fields);

/// Standard error is what $JOURNAL_STREAM names, so that the journal reads the lines.
bool stderrIsJournal(const QByteArray &journalStream);

} // namespace kv
