// SPDX-License-Identifier: MIT
// The command line of a llama-server, one word a line; lines such as LLAMA_ARG_PORT=1 are its environment.
#include "fuzztarget.h"
#include "servercommandline.h"

using namespace kv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    QStringList argv;
    QHash<QString, QString> environment;
    const QStringList lines = QString::fromUtf8(fuzzBytes(data, size)).split(u'\n');
    for (const QString &line : lines) {
        const qsizetype equals = line.startsWith(u"LLAMA_") ? line.indexOf(u'=') : -1;
        if (equals > 0) {
            environment.insert(line.left(equals), line.mid(equals + 1));
        } else {
            argv.append(line);
        }
    }
    const ServerCommandLine read = parseServerCommandLine(argv, environment);
    require(read.port >= 0 && read.port <= 65535, "a port, or none");
    require(read.streams == u"auto" || read.streams.toInt() > 0, "a number of streams, or auto");

    const ServerCommandLine named
        = parseServerCommandLine(QStringList(QStringLiteral("/usr/bin/llama-server")) + argv, environment);
    require(named.compared() == read.compared() && named.slotSavePath == read.slotSavePath
            && named.port == read.port,
        "the program's name in front changes nothing");
    require(isLlamaServer(QStringList(QStringLiteral("/usr/bin/llama-server")) + argv), "it is one");
    static_cast<void>(isLlamaServer(argv));
    return 0;
}
