// SPDX-License-Identifier: MIT
#include "daemon.h"
#include "daemonoptions.h"
#include "exitcodes.h"
#include "logging.h"
#include "signalwatcher.h"

#include <QCoreApplication>
#include <QProcessEnvironment>

#include <cstdio>
#include <sys/stat.h>

namespace {

void print(std::FILE *stream, const QString &text)
{
    const QByteArray bytes = text.toLocal8Bit();
    std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stream);
}

void printError(const QString &message) { print(stderr, QStringLiteral("kv-persistd: ") + message + u'\n'); }

} // namespace

int main(int argc, char **argv)
{
    ::umask(S_IRWXG | S_IRWXO); // whatever is written here is its user's alone
    const QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("kv-persistd"));
    QCoreApplication::setApplicationVersion(QStringLiteral(KV_PERSIST_VERSION));

    const kv::ParsedOptions parsed = kv::parseOptions(QCoreApplication::arguments());
    switch (parsed.action) {
    case kv::ParsedOptions::Action::Show:
        print(stdout, parsed.text);
        return kv::ExitOk;
    case kv::ParsedOptions::Action::Fail:
        printError(parsed.text);
        return kv::ExitUsage;
    case kv::ParsedOptions::Action::Run:
        break;
    }

    kv::LogOptions logOptions;
    logOptions.level = parsed.options.logLevel.value_or(logOptions.level);
    logOptions.format = parsed.options.logFormat.value_or(logOptions.format);
    logOptions.filter = parsed.options.logFilter.value_or(logOptions.filter);
    kv::Logging logging(logOptions);
    kv::SignalWatcher signalWatcher;
    if (!signalWatcher.install()) {
        printError(QCoreApplication::translate(
            "main", "Signals cannot be watched; the system is out of descriptors."));
        return kv::ExitFailed;
    }
    kv::Daemon daemon(parsed.options, QProcessEnvironment::systemEnvironment(), logging);
    QObject::connect(&signalWatcher, &kv::SignalWatcher::stopRequested, &daemon, &kv::Daemon::stop);
    QObject::connect(&signalWatcher, &kv::SignalWatcher::reloadRequested, &daemon, &kv::Daemon::reload);
    QObject::connect(
        &daemon, &kv::Daemon::stopped, &application, &QCoreApplication::exit, Qt::QueuedConnection);
    if (const auto failure = daemon.start()) {
        printError(failure->message);
        return failure->code;
    }
    return QCoreApplication::exec();
}
