// SPDX-License-Identifier: MIT
#include "app.h"
#include "appinstance.h"
#include "appscreenshots.h"
#include "paths.h"
#include "socketdaemon.h"
#include "translation.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QSettings>

#include <algorithm>
#include <cstdio>

namespace {

struct Options {
    QString socket;
    QString page;
    QString screenshots;
    bool hidden = false;
};

struct TrayOptionsText {
    Q_DECLARE_TR_FUNCTIONS(kv::TrayOptions)
};

/// Ends the program after --help, --version or a mistake.
Options readOptions(const QApplication &app)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(TrayOptionsText::tr("Shows and steers kv-persist in the tray."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption socket(QStringLiteral("socket"),
        TrayOptionsText::tr("The daemon's socket. Default: $KV_PERSIST_SOCKET, else "
                            "$XDG_RUNTIME_DIR/kv-persist/api.sock."),
        QStringLiteral("path"));
    const QCommandLineOption page(QStringLiteral("page"),
        TrayOptionsText::tr(
            "Open the window on this page: overview, sessions, activity, doctor or settings."),
        QStringLiteral("key"));
    const QCommandLineOption hidden(QStringLiteral("hidden"),
        TrayOptionsText::tr("Start without a window, as at the start of a session."));
    const QCommandLineOption screenshots(QStringLiteral("screenshots"),
        TrayOptionsText::tr("Render every page with a sample state into this folder, and end."),
        QStringLiteral("folder"));
    parser.addOptions({ socket, page, hidden, screenshots });
    parser.process(app);
    return { parser.value(socket), parser.value(page), parser.value(screenshots), parser.isSet(hidden) };
}

int renderScreenshots(const QString &folder)
{
    kv::AppScreenshots screenshots(folder);
    QObject::connect(&screenshots, &kv::AppScreenshots::finished, qApp, [](const QString &trouble) {
        if (!trouble.isEmpty()) {
            std::fprintf(stderr, "%s\n", qPrintable(trouble));
        }
        QCoreApplication::exit(trouble.isEmpty() ? 0 : 1);
    });
    QTimer::singleShot(0, &screenshots, &kv::AppScreenshots::start);
    return QApplication::exec();
}

/// Beside the daemon's default socket, whatever socket this program is told to use.
QString instancePath()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("KV_PERSIST_SOCKET"));
    const kv::SocketPath socket = kv::socketPath({}, environment);
    if (socket.folder.isEmpty()) {
        return socket.path + QStringLiteral("-tray");
    }
    static_cast<void>(kv::makePrivateFolder(socket.folder)); // what comes of it, AppInstance::claim() tells
    return QDir(socket.folder).filePath(QStringLiteral("tray.sock"));
}

int tellFirst(kv::AppInstance &instance, const QString &page)
{
    QObject::connect(&instance, &kv::AppInstance::told, qApp, [](bool ok) {
        if (!ok) {
            std::fprintf(stderr, "%s\n",
                qPrintable(TrayOptionsText::tr(
                    "Another kv-persist-tray runs but does not answer. End it and try again.")));
        }
        QCoreApplication::exit(ok ? 0 : 1);
    });
    QTimer::singleShot(0, &instance, [&instance, page] { instance.tellFirst(page); });
    return QApplication::exec();
}

int run(const Options &options)
{
    kv::AppInstance instance(instancePath());
    if (instance.claim() == kv::AppInstance::Claim::Second) {
        return tellFirst(instance, options.page);
    }
    const kv::SystemClock clock;
    QSettings settings;
    kv::SocketDaemon daemon(kv::socketPath(options.socket, QProcessEnvironment::systemEnvironment()).path);
    kv::DaemonStarter::Options starter;
    starter.automatic = true;
    starter.socket = options.socket;
    starter.folder = QCoreApplication::applicationDirPath();
    const kv::Autostart autostart = kv::Autostart::ofUser(
        QProcessEnvironment::systemEnvironment(), QCoreApplication::applicationFilePath());
    kv::App app(daemon, starter, autostart, clock, settings);
    QObject::connect(&instance, &kv::AppInstance::wanted, &app, &kv::App::openPage);
    daemon.open();
    app.start(options.hidden);
    if (!options.page.isEmpty()) {
        app.openPage(options.page);
    }
    return QApplication::exec();
}

} // namespace

int main(int argc, char *argv[])
{
    // Pictures and words need no display.
    const bool showsNothing = std::any_of(argv + 1, argv + argc, [](const char *argument) {
        const QByteArrayView option(argument);
        return option.startsWith("--screenshots") || option == "--help" || option == "-h"
            || option == "--version" || option == "-v";
    });
    if (showsNothing && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QCoreApplication::setOrganizationName(QStringLiteral("kv-persist"));
    QCoreApplication::setApplicationName(QStringLiteral("kv-persist-tray"));
    QCoreApplication::setApplicationVersion(QStringLiteral(KV_PERSIST_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("kv-persist-tray"));
    QApplication app(argc, argv);
    kv::installTranslations(&app, QSettings().value(QStringLiteral("language")).toString());
    QApplication::setQuitOnLastWindowClosed(false);
    const Options options = readOptions(app);
    return options.screenshots.isEmpty() ? run(options) : renderScreenshots(options.screenshots);
}
