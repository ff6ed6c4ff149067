// SPDX-License-Identifier: MIT
#include "logging.h"

#include "clock.h"
#include "redact.h"

#include <QHash>
#include <QMutex>

#include <atomic>
#include <cstdio>

#ifdef Q_OS_UNIX
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace kv {

Q_LOGGING_CATEGORY(lcBackend, "kv.backend")
Q_LOGGING_CATEGORY(lcCli, "kv.cli")
Q_LOGGING_CATEGORY(lcClient, "kv.client")
Q_LOGGING_CATEGORY(lcConfig, "kv.config")
Q_LOGGING_CATEGORY(lcCoordinator, "kv.coordinator")
Q_LOGGING_CATEGORY(lcDaemon, "kv.daemon")
Q_LOGGING_CATEGORY(lcHttp, "kv.http")
Q_LOGGING_CATEGORY(lcProxy, "kv.proxy")
Q_LOGGING_CATEGORY(lcRuntime, "kv.runtime")
Q_LOGGING_CATEGORY(lcServer, "kv.server")
Q_LOGGING_CATEGORY(lcSnapshots, "kv.snapshots")
Q_LOGGING_CATEGORY(lcTray, "kv.tray")

namespace {

constexpr qint64 c_repeatMs = 30'000;
/// Bounds the memory of repeated texts; past it the quiet ones are forgotten.
constexpr qsizetype c_maxTexts = 256;

thread_local bool t_inside = false;

void writeToStderr(const QByteArray &line)
{
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), stderr);
    std::fflush(stderr);
}

LogLevel levelOf(QtMsgType type)
{
    switch (type) {
    case QtDebugMsg:
        return LogLevel::Debug;
    case QtInfoMsg:
        return LogLevel::Info;
    case QtWarningMsg:
        return LogLevel::Warning;
    case QtCriticalMsg:
    case QtFatalMsg:
        break;
    }
    return LogLevel::Error;
}

QtMsgType typeOf(LogLevel level)
{
    switch (level) {
    case LogLevel::Debug:
        return QtDebugMsg;
    case LogLevel::Info:
        return QtInfoMsg;
    case LogLevel::Warning:
        return QtWarningMsg;
    case LogLevel::Error:
        break;
    }
    return QtCriticalMsg;
}

/// Qt's own debug categories stay as Qt sets them (off).
QString rulesFor(LogLevel level)
{
    switch (level) {
    case LogLevel::Debug:
        return QStringLiteral("kv.*=true\ndefault.debug=true");
    case LogLevel::Info:
        return QStringLiteral("*.debug=false");
    case LogLevel::Warning:
        return QStringLiteral("*.debug=false\n*.info=false");
    case LogLevel::Error:
        break;
    }
    return QStringLiteral("*.debug=false\n*.info=false\n*.warning=false");
}

struct Repeat {
    qint64 lastMs = 0;
    LogRecord heldBack; ///< the newest of those held back
    int count = 0;
};

} // namespace

class Logging::Private {
public:
    void handle(LogRecord record)
    {
        const QMutexLocker lock(&mutex);
        const Instant now = clockInUse->now();
        record.wallMs = now.wallMs;
        record.text = redacted(std::move(record.text), optionsInUse.secrets);
        for (auto it = record.fields.begin(); it != record.fields.end(); ++it) {
            if (it.value().isString()) {
                it.value() = redacted(it.value().toString(), optionsInUse.secrets);
            }
        }
        if (record.level != LogLevel::Warning || passes(record, now.monoMs)) {
            write(record);
        }
        if (now.monoMs - m_sweptMs >= c_repeatMs || m_repeats.size() > c_maxTexts) {
            m_sweptMs = now.monoMs;
            sweep(now.monoMs);
        }
    }

    /// What was held back and not told yet.
    void flush()
    {
        const QMutexLocker lock(&mutex);
        for (const Repeat &repeat : std::as_const(m_repeats)) {
            tellHeldBack(repeat);
        }
        m_repeats.clear();
    }

    static void fromQt(QtMsgType type, const QMessageLogContext &context, const QString &text)
    {
        LogRecord record;
        record.level = levelOf(type);
        record.category = QString::fromLatin1(context.category != nullptr ? context.category : "default");
        record.text = text;
        deliver(std::move(record));
    }

    /// Past the sink when there is no Logging, or the sink itself logs (which would never end).
    static void deliver(LogRecord record)
    {
        Private *const current = s_current.load();
        if (current == nullptr || t_inside) {
            writeToStderr(redacted(record.text).toUtf8() + '\n');
            return;
        }
        t_inside = true;
        current->handle(std::move(record));
        t_inside = false;
    }

    /// Qt's handler is a plain function, so what it works for has to be found from here.
    static inline std::atomic<Private *> s_current = nullptr;

    // NOLINTBEGIN(misc-non-private-member-variables-in-classes): Logging's own half, nobody else sees it
    QMutex mutex;
    LogOptions optionsInUse;
    LogSink sinkInUse;
    SystemClock systemClock;
    const Clock *clockInUse = &systemClock;
    Private *previous = nullptr;
    QtMessageHandler previousHandler = nullptr;
    // NOLINTEND(misc-non-private-member-variables-in-classes)

private:
    bool passes(LogRecord &record, qint64 nowMs)
    {
        const QString key = record.category + u'\n' + record.text + u'\n'
            + (record.fields.isEmpty() ? QString()
                                       : record.fields.value(QStringLiteral("server")).toString());
        const auto it = m_repeats.find(key);
        if (it == m_repeats.end()) {
            m_repeats.insert(key, Repeat { nowMs, {}, 0 });
            return true;
        }
        if (nowMs - it->lastMs < c_repeatMs) {
            ++it->count;
            it->heldBack = record;
            return false;
        }
        record.suppressed = it->count;
        *it = Repeat { nowMs, {}, 0 };
        return true;
    }

    /// Tells and forgets texts that have been quiet. In a flood of different texts all go: none of them
    /// repeats.
    void sweep(qint64 nowMs)
    {
        const bool flood = m_repeats.size() > c_maxTexts;
        m_repeats.removeIf([&](const QHash<QString, Repeat>::iterator &it) {
            const bool over = flood || nowMs - it->lastMs >= c_repeatMs;
            if (over) {
                tellHeldBack(*it);
            }
            return over;
        });
    }

    void tellHeldBack(const Repeat &repeat)
    {
        if (repeat.count > 0) {
            LogRecord record = repeat.heldBack;
            record.suppressed = repeat.count - 1;
            write(record);
        }
    }

    void write(const LogRecord &record)
    {
        const QByteArray line = formatLogLine(record, optionsInUse.format, optionsInUse.journald);
        if (sinkInUse) {
            sinkInUse(line, record);
        } else {
            writeToStderr(line);
        }
    }

    QHash<QString, Repeat> m_repeats;
    qint64 m_sweptMs = 0;
};

Logging::Logging(const LogOptions &options, LogSink sink, const Clock *clock)
    : d(std::make_unique<Private>())
{
    d->sinkInUse = std::move(sink);
    if (clock != nullptr) {
        d->clockInUse = clock;
    }
    d->previous = Private::s_current.exchange(d.get());
    d->previousHandler = qInstallMessageHandler(&Private::fromQt);
    setOptions(options);
}

Logging::~Logging()
{
    d->flush();
    qInstallMessageHandler(d->previousHandler);
    Private::s_current = d->previous;
    QLoggingCategory::setFilterRules(
        d->previous != nullptr ? rulesFor(d->previous->optionsInUse.level) : QString());
}

void Logging::setOptions(const LogOptions &options)
{
    {
        const QMutexLocker lock(&d->mutex);
        d->optionsInUse = options;
    }
    QLoggingCategory::setFilterRules(rulesFor(options.level));
}

void logEvent(
    const QLoggingCategory &category, LogLevel level, const QString &event, const QJsonObject &fields)
{
    if (!category.isEnabled(typeOf(level))) {
        return;
    }
    LogRecord record;
    record.level = level;
    record.category = QString::fromLatin1(category.categoryName());
    record.text = event;
    record.fields = fields;
    Logging::Private::deliver(std::move(record));
}

bool stderrIsJournal(const QByteArray &journalStream)
{
#ifdef Q_OS_UNIX
    const QList<QByteArray> parts = journalStream.split(':');
    struct stat data { };
    return parts.size() == 2 && ::fstat(STDERR_FILENO, &data) == 0
        && parts.at(0) == QByteArray::number(qulonglong(data.st_dev))
        && parts.at(1) == QByteArray::number(qulonglong(data.st_ino));
#else
    Q_UNUSED(journalStream)
    return false;
#endif
}

} // namespace kv
