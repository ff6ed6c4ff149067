// SPDX-License-Identifier: MIT
#include "cli.h"
#include "translation.h"

#include <QCoreApplication>

#include <cstdio>
#include <unistd.h>

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("kv-persist"));
    QCoreApplication::setApplicationVersion(QStringLiteral(KV_PERSIST_VERSION));
    kv::installTranslations(QCoreApplication::instance());
    QTextStream out(stdout);
    QTextStream err(stderr);
    QTextStream in(stdin);
    const kv::CliStreams streams { out, err, in, isatty(STDOUT_FILENO) != 0, isatty(STDIN_FILENO) != 0,
        !qEnvironmentVariableIsEmpty("NO_COLOR") };
    return kv::runCli(QCoreApplication::arguments().mid(1), streams, kv::SystemClock());
}
