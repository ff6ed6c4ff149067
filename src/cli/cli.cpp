// SPDX-License-Identifier: MIT
#include "cli.h"

#include "commandcontext.h"
#include "exitcode.h"

namespace kv {

int runCli(const QStringList &arguments, const CliStreams &streams, const Clock &clock)
{
    const auto parsed = parseCommandLine(arguments);
    if (const auto *message = std::get_if<CliMessage>(&parsed)) {
        QTextStream &stream = message->exitCode == exitcode::ok ? streams.out : streams.err;
        stream << message->text;
        stream.flush();
        return message->exitCode;
    }
    const auto &options = std::get<CliOptions>(parsed);
    const bool automatic = streams.outIsTerminal && !streams.noColour;
    const bool colour = options.colour == u"always" || (options.colour == u"auto" && automatic);
    const Terminal terminal { streams.out, streams.err, streams.in, streams.outIsTerminal,
        streams.inIsTerminal, colour };
    CommandContext context(options, terminal, clock);
    return options.run(context);
}

} // namespace kv
