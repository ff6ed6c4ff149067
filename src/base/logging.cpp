// SPDX-License-Identifier: MIT
#include "logging.h"

#include "clock.h"
#include "redact.h"

#include <QHash>
#include <QMutex>
#include <QRegularExpression>

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
/// So many warnings of one shape pass in c_repeatMs: enough to see that it is not always the same one.
constexpr int c_maxAlike = 5;

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

/// What a text has in common with others that were made by the same line of the program: neither its numbers,
/// hashes and ports nor what it quotes. (Where it was made is not known in a release: Qt leaves it out.)
QString shapeOf(QString text)
{
    static const QRegularExpression c_quoted(QStringLiteral("“[^”]*”|\"[^\"]*\"|'[^']*'"));
    static const QRegularExpression c_counted(QStringLiteral("\\w*\\d\\w*"));
    return text.replace(c_quoted, QStringLiteral("…")).replace(c_counted, QStringLiteral("#"));
}

/// Of one text, or of one shape.
struct Repeat {
    qint64 sinceMs = 0;
    LogRecord heldBack; ///< the newest of those held back
    int count = 0;
    int passed = 1; ///< since then
};
using Repeats = QHash<QString, Repeat>;

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
        if (now.monoMs - m_sweptMs >= c_repeatMs || m_texts.size() > c_maxTexts
            || m_shapes.size() > c_maxTexts) {
            m_sweptMs = now.monoMs;
            sweep(m_texts, now.monoMs);
            sweep(m_shapes, now.monoMs);
        }
    }

    /// What was held back and not told yet.
    void flush()
    {
        const QMutexLocker lock(&mutex);
        for (Repeats *repeats : { &m_texts, &m_shapes }) {
            for (const Repeat &repeat : std::as_const(*repeats)) {
                tellHeldBack(repeat);
            }
            repeats->clear();
        }
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
        const QString about = record.fields.value(QStringLiteral("server")).toString() + u'\n';
        const QString text = record.category + u'\n' + about + record.text;
        const auto known = m_texts.find(text);
        const bool recent = known != m_texts.end() && nowMs - known->sinceMs < c_repeatMs;
        if (recent) {
            holdBack(*known, record);
            return false;
        }
        // An event's name says already which line of the program it is.
        if (record.fields.isEmpty() && !shapePasses(record, nowMs)) {
            return false;
        }
        if (known != m_texts.end()) {
            record.suppressed += known->count;
        }
        m_texts.insert(text, Repeat { nowMs, {}, 0 });
        return true;
    }

    bool shapePasses(LogRecord &record, qint64 nowMs)
    {
        const QString shape = record.category + u'\n' + shapeOf(record.text);
        const auto known = m_shapes.find(shape);
        if (known == m_shapes.end()) {
            m_shapes.insert(shape, Repeat { nowMs, {}, 0 });
            return true;
        }
        if (nowMs - known->sinceMs >= c_repeatMs) {
            record.suppressed += known->count;
            *known = Repeat { nowMs, {}, 0 };
            return true;
        }
        if (known->passed < c_maxAlike) {
            ++known->passed;
            return true;
        }
        holdBack(*known, record);
        return false;
    }

    static void holdBack(Repeat &repeat, const LogRecord &record)
    {
        ++repeat.count;
        repeat.heldBack = record;
    }

    /// Tells and forgets what has been quiet. In a flood of different texts all go: none of them repeats.
    void sweep(Repeats &repeats, qint64 nowMs)
    {
        const bool flood = repeats.size() > c_maxTexts;
        repeats.removeIf([&](const Repeats::iterator &it) {
            const bool over = flood || nowMs - it->sinceMs >= c_repeatMs;
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

    Repeats m_texts;
    Repeats m_shapes;
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
    QLoggingCategory::setFilterRules(d->previous != nullptr
            ? logRules(d->previous->optionsInUse.level, d->previous->optionsInUse.filter)
            : QString());
}

void Logging::setOptions(const LogOptions &options)
{
    {
        const QMutexLocker lock(&d->mutex);
        d->optionsInUse = options;
    }
    QLoggingCategory::setFilterRules(logRules(options.level, options.filter));
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
