// SPDX-License-Identifier: MIT
#include "clioptions.h"

#include "clitext.h"
#include "commands.h"
#include "exitcode.h"
#include "terminal.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace kv {

namespace {

using App = CLI::App; // lupdate loses the namespace of all that follows a "CLI::" before a function's name

std::string text(const QString &string) { return string.toStdString(); }

/// Builds the command line's grammar upon CLI11. All its exceptions end in parseCommandLine().
class Grammar final {
public:
    explicit Grammar(CliOptions &options)
        : m_options(options)
        , m_app(text(CliText::tr("Shows and steers kv-persistd, which keeps local LLM sessions warm.")),
              "kv-persist")
    {
        wording(); // subcommands inherit it
        m_app.fallthrough();
        m_app.require_subcommand(1);
        m_app.set_version_flag(
            "--version", "kv-persist " KV_PERSIST_VERSION, text(CliText::tr("Show the version and exit")));
        globalOptions();
        readingCommands();
        historyCommand();
        sessionCommands();
        steeringCommands();
        configCommands();
        faultCommands();
        m_app.footer(text(footer()));
    }

    App &app() { return m_app; }

private:
    /// What CLI11 says by itself, in the user's language.
    void wording()
    {
        const auto formatter = m_app.get_formatter();
        formatter->label("Usage", text(CliText::tr("Usage")));
        formatter->label("OPTIONS", text(CliText::tr("OPTIONS")));
        formatter->label("SUBCOMMAND", text(CliText::tr("COMMAND")));
        formatter->label("Positionals", text(CliText::tr("Arguments")));
        formatter->label("REQUIRED", text(CliText::tr("REQUIRED")));
        m_app.option_defaults()->group(text(CliText::tr("Options")));
        m_app.set_help_flag("-h,--help", text(CliText::tr("Show this help and exit")));
    }
    static void asCommand(App *sub)
    {
        sub->group(text(CliText::tr("Commands")));
        sub->get_help_ptr()->group(text(CliText::tr("Options"))); // made before it inherits the group
    }
    static QString footer()
    {
        return CliText::tr(
            "Exit codes: 0 done, 1 the daemon said no, 2 wrong command line or file, 3 no daemon or no "
            "answer,\n            4 doctor: NOT READY, 5 doctor: READY WITH WARNINGS.\n"
            "A SESSION is the id that the harness uses, or 6 or more digits of the hash that \"list\" "
            "shows.\nThe socket is --socket, else $KV_PERSIST_SOCKET, else "
            "$XDG_RUNTIME_DIR/kv-persist/api.sock.\n"
            "\"kv-persist COMMAND --help\" shows an example of each command. Begin with: kv-persist doctor");
    }

    void option(App *command, const char *name, QString &target, const QString &help)
    {
        command->add_option_function<std::string>(
            name, [&target](const std::string &value) { target = QString::fromStdString(value); },
            text(help));
    }
    void positional(App *command, const char *name, QString &target, const QString &help)
    {
        command
            ->add_option_function<std::string>(
                name, [&target](const std::string &value) { target = QString::fromStdString(value); },
                text(help))
            ->required();
    }
    App *command(
        App *parent, const char *name, CommandFunction function, const QString &help, const QString &example)
    {
        App *sub = parent->add_subcommand(name, text(help));
        asCommand(sub);
        sub->footer(text(CliText::tr("Example:\n  %1").arg(example)));
        sub->callback([this, function] { m_options.run = function; });
        return sub;
    }
    App *command(const char *name, CommandFunction function, const QString &help, const QString &example)
    {
        return command(&m_app, name, function, help, example);
    }
    void narrowing(App *command)
    {
        option(
            command, "--provider", m_options.provider, CliText::tr("only its snapshots for this provider"));
        option(command, "--model", m_options.model, CliText::tr("only its snapshots for this model"));
        option(command, "--server", m_options.server, CliText::tr("only its snapshots on this server"));
    }
    App *sessionCommand(
        const char *name, CommandFunction function, const QString &help, const QString &example)
    {
        App *sub = command(name, function, help, example);
        positional(sub, "SESSION", m_options.session, CliText::tr("its id, or 6 or more digits of its hash"));
        narrowing(sub);
        return sub;
    }

    void globalOptions()
    {
        option(&m_app, "--socket", m_options.socket, CliText::tr("the daemon's socket"));
        m_app.add_flag(
            "--json", m_options.json, text(CliText::tr("print the daemon's document, for programs")));
        m_app
            .add_option(
                "--timeout", m_options.timeoutSeconds, text(CliText::tr("seconds to wait for the answer")))
            ->check(CLI::NonNegativeNumber);
        m_app
            .add_option_function<std::string>(
                "--color,--colour",
                [this](const std::string &value) { m_options.colour = QString::fromStdString(value); },
                text(CliText::tr("auto (on a terminal, unless NO_COLOR is set), always or never")))
            ->check(CLI::IsMember({ "auto", "always", "never" }));
    }

    void readingCommands()
    {
        command("status", runStatus, CliText::tr("Servers, slots, snapshots, totals and advice"),
            QStringLiteral("kv-persist status"));
        command("slots", runSlots, CliText::tr("Who has which slot now"),
            QStringLiteral("kv-persist slots --json"));
        App *list = command("list", runList, CliText::tr("The snapshots on record"),
            QStringLiteral("kv-persist list --filter qwen --sort bytes --desc --limit 20"));
        option(list, "--filter", m_options.filter,
            CliText::tr("part of label, hash, provider, model or server; or state:valid, pinned:true"));
        option(
            list, "--sort", m_options.sort, CliText::tr("column by its name in --json; else newest first"));
        list->add_flag("--desc", m_options.desc, text(CliText::tr("largest first")));
        list->add_flag("--bases", m_options.bases,
            text(CliText::tr("the beginnings that sessions share, instead of the sessions' own")));
        list->add_option(
                "--limit", m_options.limit, text(CliText::tr("at most so many rows (1 to 1000, else 100)")))
            ->check(CLI::Range(1, 1000));
        list->add_option("--offset", m_options.offset, text(CliText::tr("skip so many rows")))
            ->check(CLI::NonNegativeNumber);
        sessionCommand("show", runShow, CliText::tr("One session: its state and its snapshots"),
            QStringLiteral("kv-persist show 3fa41c"));
        command("metrics", runMetrics, CliText::tr("All counters, in the text format of Prometheus"),
            QStringLiteral("kv-persist metrics | grep restore"));
        App *doctor = command("doctor", runDoctor,
            CliText::tr(
                "Checks the servers and says what to do; ends in READY, READY WITH WARNINGS or NOT READY"),
            QStringLiteral("kv-persist doctor --url http://127.0.0.1:8080"));
        option(doctor, "--server", m_options.server, CliText::tr("only this configured server"));
        option(doctor, "--url", m_options.url, CliText::tr("a server that is not configured"));
        option(doctor, "--api-key-file", m_options.apiKeyFile, CliText::tr("file with the key for --url"));
        CLI::Option *verify = doctor->add_flag("--verify", m_options.verify,
            text(CliText::tr(
                "also prove it: a short prompt of its own is saved, erased, restored and asked again")));
        doctor
            ->add_flag("--restart", m_options.restart,
                text(CliText::tr(
                    "with --verify: across a restart of the server, which you make when it asks")))
            ->needs(verify);
        doctor->footer(text(CliText::tr(
            "Example:\n  kv-persist doctor --server local --verify\n\n"
            "--verify takes a slot of each server that was checked like a request of a client does: what is "
            "not "
            "saved\nthere is saved first and brought back afterwards. It takes as long as two short prompts, "
            "a "
            "second to a minute\nor so; a request for that slot waits meanwhile. The result is kept for that "
            "build "
            "and model.\n"
            "Exit codes: 0 READY, 5 READY WITH WARNINGS, 4 NOT READY, 1 the daemon said no, 3 no daemon.")));
        App *watch = command("watch", runWatch, CliText::tr("Shows what happens, until Ctrl-C"),
            QStringLiteral("kv-persist watch --topics kv.session.,kv.reuse."));
        watch
            ->add_option_function<std::vector<std::string>>(
                "--topics",
                [this](const std::vector<std::string> &values) {
                    for (const std::string &value : values) {
                        m_options.topics.append(QString::fromStdString(value));
                    }
                },
                text(CliText::tr("beginnings of event names, separated by commas")))
            ->delimiter(',');
    }

    void historyCommand()
    {
        App *history = command("history", runHistory, CliText::tr("What happened in a span of time"),
            QStringLiteral("kv-persist history --server local-3060 --since 2h"));
        history->add_option_function<std::string>(
            "SESSION",
            [this](const std::string &value) { m_options.session = QString::fromStdString(value); },
            text(CliText::tr("a session, or")));
        option(history, "--server", m_options.server, CliText::tr("a server"));
        option(history, "--since", m_options.since,
            CliText::tr("so long ago until now: 30min, 2h, 7d (else 24h)"));
        option(history, "--from", m_options.from, CliText::tr("begin, an ISO 8601 time"));
        option(history, "--to", m_options.to, CliText::tr("end, an ISO 8601 time; else now"));
        option(history, "--bucket", m_options.bucket, CliText::tr("length of a row: 1min, 1h"));
    }

    void sessionCommands()
    {
        sessionCommand("save", runSave, CliText::tr("Saves the state that a session has in its slot"),
            QStringLiteral("kv-persist save 3fa41c"));
        sessionCommand("restore", runRestore,
            CliText::tr("Brings a session back into a slot before it is needed"),
            QStringLiteral("kv-persist restore 3fa41c"));
        App *invalidate = sessionCommand("invalidate", runInvalidate,
            CliText::tr("Its snapshots are not used any more; the next request starts cold"),
            QStringLiteral("kv-persist invalidate 3fa41c --reason \"strange answers\""));
        option(invalidate, "--reason", m_options.reason, CliText::tr("shown with the snapshot"));
        App *purge = sessionCommand("purge", runPurge,
            CliText::tr("Deletes its snapshots; asks before. Only speed is lost, never the conversation"),
            QStringLiteral("kv-persist purge 3fa41c --yes"));
        purge->add_flag("--yes,-y", m_options.yes, text(CliText::tr("do not ask")));
        sessionCommand("pin", runPin, CliText::tr("Keeps its snapshots from being removed for age or space"),
            QStringLiteral("kv-persist pin 3fa41c"));
        sessionCommand(
            "unpin", runUnpin, CliText::tr("Takes the pin away"), QStringLiteral("kv-persist unpin 3fa41c"));
        command("flush", runFlush, CliText::tr("Saves every slot that holds unsaved state"),
            QStringLiteral("kv-persist flush"));
        App *gc = command("gc", runGc, CliText::tr("Removes what the retention rules let go"),
            QStringLiteral("kv-persist gc --dry-run"));
        gc->add_flag("--dry-run,-n", m_options.dryRun, text(CliText::tr("only show what would be removed")));
    }

    void steeringCommands()
    {
        App *pause = command("pause", runPause, CliText::tr("Nothing is saved or restored; requests go on"),
            QStringLiteral("kv-persist pause --for 30min"));
        option(pause, "--server", m_options.server, CliText::tr("only this server"));
        option(pause, "--for", m_options.duration, CliText::tr("resume by itself after 90s, 10min, 2h"));
        App *resume
            = command("resume", runResume, CliText::tr("Ends a pause"), QStringLiteral("kv-persist resume"));
        option(resume, "--server", m_options.server, CliText::tr("only this server"));
        command("reload", runReload, CliText::tr("Reads the configuration file anew, whole or not at all"),
            QStringLiteral("kv-persist reload"));
    }

    void configCommands()
    {
        App *config = m_app.add_subcommand("config", text(CliText::tr("The daemon's configuration")));
        asCommand(config);
        config->require_subcommand(1);
        config->footer(
            text(CliText::tr("Example:\n  %1").arg(QStringLiteral("kv-persist config get > my.yaml"))));
        command(config, "get", runConfigGet, CliText::tr("Prints the file in use"),
            QStringLiteral("kv-persist config get > my.yaml"));
        const QString fileHelp = CliText::tr("a YAML file; - is the standard input");
        App *validate
            = command(config, "validate", runConfigValidate, CliText::tr("Checks a file; nothing is changed"),
                QStringLiteral("kv-persist config validate my.yaml"));
        positional(validate, "FILE", m_options.file, fileHelp);
        App *set
            = command(config, "set", runConfigSet, CliText::tr("Replaces the configuration and applies it"),
                QStringLiteral("kv-persist config set my.yaml"));
        positional(set, "FILE", m_options.file, fileHelp);
        option(set, "--if-hash", m_options.ifHash,
            CliText::tr("only if the present file has this hash (config get --json)"));
        command(config, "path", runConfigPath, CliText::tr("Where the file is"),
            QStringLiteral("kv-persist config path"));
        command(config, "default", runConfigDefault,
            CliText::tr("Prints all keys with their defaults, to begin with"),
            QStringLiteral("kv-persist config default > my.yaml"));
    }

    void faultCommands()
    {
        App *report = command("report", runReport,
            CliText::tr("Collects what an issue needs: journals, status, doctor, versions; nothing of a "
                        "conversation"),
            QStringLiteral("kv-persist report -o report.tar.gz"));
        option(report, "-o,--output", m_options.output,
            CliText::tr("a new folder, or a file that ends in .tar.gz"));
        option(report, "--metadata", m_options.metadata,
            CliText::tr("the metadata folder, if no daemon runs and it is not the usual one"));
        option(report, "--config", m_options.config, CliText::tr("the configuration file, likewise"));
        App *replay = command("replay", runReplay,
            CliText::tr("Runs a journal again and shows every event, state and decision; needs no daemon"),
            QStringLiteral("kv-persist replay ~/.dsh/cache/dsh-kv-persist/journal/local-3060.kvjournal"));
        positional(replay, "FILE", m_options.file, CliText::tr("a journal, of a report or of this machine"));
        replay->add_flag(
            "--verbose,-v", m_options.verbose, text(CliText::tr("with every field, write and timer")));
        command("identify", runIdentify,
            CliText::tr("Says which session the proxy would see in HTTP requests (JSON on the standard "
                        "input), and why; needs no daemon"),
            QStringLiteral("kv-persist identify < request.json"));
    }

    CliOptions &m_options;
    App m_app;
};

/// Steps from one word to the other by changing, adding or dropping a letter.
qsizetype editDistance(const std::string &a, const std::string &b)
{
    std::vector<qsizetype> row(b.size() + 1);
    std::iota(row.begin(), row.end(), qsizetype { 0 });
    for (std::size_t i = 1; i <= a.size(); ++i) {
        qsizetype diagonal = row[0]++;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const qsizetype change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({ change, row[j] + 1, row[j - 1] + 1 });
        }
    }
    return row.back();
}

/// CLI11 only says that a command is missing; a mistyped one deserves its name.
QString faultOf(App &app, const CLI::Error &error)
{
    const App *parent = &app;
    while (!parent->get_subcommands().empty()) {
        parent = parent->get_subcommands().front();
    }
    const std::vector<std::string> rest = app.remaining(true);
    const std::vector<const App *> commands = parent->get_subcommands([](const App *) { return true; });
    if (rest.empty() || rest.front().starts_with('-') || commands.empty()) {
        return QString::fromUtf8(error.what());
    }
    const auto nearest
        = std::min_element(commands.begin(), commands.end(), [&rest](const auto *a, const auto *b) {
              return editDistance(rest.front(), a->get_name()) < editDistance(rest.front(), b->get_name());
          });
    QString fault
        = CliText::tr("There is no command \"%1\".").arg(printable(QString::fromStdString(rest.front())));
    if (editDistance(rest.front(), (*nearest)->get_name()) > 2) {
        return fault;
    }
    return fault + u' '
        + CliText::tr("Did you mean \"%1\"?").arg(QString::fromStdString((*nearest)->get_name()));
}

CliMessage usageMessage(const QString &fault)
{
    return { exitcode::usage,
        CliText::tr(
            "kv-persist: %1\n\"kv-persist --help\" shows the commands, \"kv-persist COMMAND --help\" one of "
            "them.\n")
            .arg(fault) };
}

} // namespace

std::variant<CliOptions, CliMessage> parseCommandLine(const QStringList &arguments)
{
    CliOptions options;
    try {
        Grammar grammar(options);
        if (arguments.isEmpty()) {
            return CliMessage { exitcode::usage, QString::fromStdString(grammar.app().help()) };
        }
        std::vector<std::string> reversed;
        for (const QString &argument : arguments) {
            reversed.push_back(text(argument));
        }
        std::reverse(reversed.begin(), reversed.end()); // as CLI11 wants it
        try {
            grammar.app().parse(std::move(reversed));
        } catch (const CLI::CallForHelp &) {
            return CliMessage { exitcode::ok, QString::fromStdString(grammar.app().help()) };
        } catch (const CLI::CallForVersion &version) {
            return CliMessage { exitcode::ok, QString::fromUtf8(version.what()) + u'\n' };
        } catch (const CLI::ParseError &error) {
            return usageMessage(faultOf(grammar.app(), error));
        }
    } catch (const CLI::Error &error) {
        return usageMessage(QString::fromUtf8(error.what())); // a mistake in Grammar itself
    }
    return options;
}

} // namespace kv
