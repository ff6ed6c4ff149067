// SPDX-License-Identifier: MIT
// The rows of "what | measured". Each names what it reads in the JSON by a path.
#include "benchformat.h"
#include "benchreport.h"

#include <QJsonArray>

namespace kv::bench {

namespace {

using Rows = std::vector<std::pair<QString, QString>>;

/// One part of the JSON, read by paths such as "begin.median".
class Part final {
public:
    Part(const QJsonObject &results, const QString &name)
        : m_value(results.value(name))
    {
    }
    [[nodiscard]] QJsonValue at(const QString &path) const
    {
        QJsonValue value = m_value;
        const QStringList keys = path.split(QLatin1Char('.'));
        for (const QString &key : keys) {
            value = value[key];
        }
        return value;
    }
    [[nodiscard]] double number(const QString &path) const { return at(path).toDouble(qQNaN()); }
    [[nodiscard]] QString ms(const QString &path) const { return milliseconds(number(path)); }
    [[nodiscard]] QString us(const QString &path) const { return milliseconds(number(path) / 1000); }
    [[nodiscard]] QString count(const QString &path) const { return grouped(at(path).toInteger()); }
    [[nodiscard]] QString bytes(const QString &path) const { return bytesText(number(path)); }
    [[nodiscard]] QString share(const QString &path) const { return percent(number(path)); }

    /// Why there is nothing to read under one of the paths ("": in the part); empty: there is.
    [[nodiscard]] QString missing(const QStringList &paths = {}) const
    {
        if (!m_value.isObject()) {
            return QStringLiteral("not measured");
        }
        const QString whole = QStringLiteral("skipped");
        for (const QString &path : QStringList { whole } + paths) {
            const QJsonValue why = at(path == whole ? whole : path + QLatin1Char('.') + whole);
            if (!why.isUndefined() && !why.isNull()) {
                return QStringLiteral("skipped: ") + why.toString().simplified().left(200);
            }
        }
        return {};
    }

private:
    QJsonValue m_value;
};

void add(Rows &rows, const QString &what, const QString &missing, const QString &measured)
{
    rows.emplace_back(what, missing.isEmpty() ? measured : missing);
}

QString outcomesText(const QJsonObject &outcomes)
{
    QStringList list;
    for (auto it = outcomes.begin(); it != outcomes.end(); ++it) {
        list.append(QStringLiteral("%1× %2").arg(it.value().toInt()).arg(it.key()));
    }
    return list.join(QStringLiteral(", "));
}

void addBasesOf(Rows &rows, const Part &bases, const QString &kind)
{
    for (const auto &[way, name] :
        { std::pair { QStringLiteral("inARow"), QStringLiteral("one after the other") },
            std::pair { QStringLiteral("othersBetween"), QStringLiteral("with another one before each") } }) {
        const QString under = QStringLiteral("%1.%2.").arg(kind, way);
        const auto side = [&](const QString &which) {
            const QString path = under + which + QLatin1Char('.');
            return QStringLiteral("first %1, the later ones %2")
                .arg(bases.ms(path + QStringLiteral("firstSessionMs")),
                    bases.ms(path + QStringLiteral("laterSessionsMs.median")));
        };
        const QString ours = under + QStringLiteral("withKvPersist");
        add(rows,
            QStringLiteral("%1 new sessions that share their first %2 tokens, %3, %4 model: first token")
                .arg(bases.count(QStringLiteral("sessions")),
                    bases.count(kind + QStringLiteral(".sharedTokens")), name, kind),
            bases.missing({ ours }),
            QStringLiteral("%1 (begins: %2); bare server without host prompt cache: %3; with it: %4")
                .arg(side(QStringLiteral("withKvPersist")),
                    outcomesText(bases.at(ours + QStringLiteral(".outcomes")).toObject()),
                    side(QStringLiteral("bareServer")), side(QStringLiteral("bareServerWithHostCache"))));
    }
}

void addBases(Rows &rows, const QJsonObject &results)
{
    const Part bases(results, QStringLiteral("bases"));
    addBasesOf(rows, bases, QStringLiteral("dense"));
    addBasesOf(rows, bases, QStringLiteral("recurrent"));
}

void addOverhead(Rows &rows, const QJsonObject &results)
{
    const Part part(results, QStringLiteral("overhead"));
    const auto told = [&](const QString &under) {
        return QStringLiteral("%1 / %2 beside %3 for a bare Qt local-socket echo (%4)")
            .arg(part.us(under + QStringLiteral("begin.median")),
                part.us(under + QStringLiteral("end.median")), part.us(under + QStringLiteral("echo.median")),
                times(part.number(under + QStringLiteral("beginToEcho"))));
    };
    add(rows, QStringLiteral("resident `begin` / `end`, round trip (median)"), part.missing(),
        QStringLiteral("all on one core: %1; %2 of daemon CPU for the pair; %3 bytes written, %4 slot calls. "
                       "Left to the scheduler: %5")
            .arg(told(QStringLiteral("onOneCore.")), part.us(QStringLiteral("onOneCore.daemonCpuPerPair")),
                part.count(QStringLiteral("onOneCore.bytesWrittenToDisk")),
                part.count(QStringLiteral("onOneCore.slotCalls")), told({})));
}

void addSwitch(Rows &rows, const QJsonObject &results)
{
    const Part part(results, QStringLiteral("switch"));
    add(rows, QStringLiteral("switch A→B (median of %1)").arg(part.count(QStringLiteral("switch.count"))),
        part.missing(),
        QStringLiteral("%1; the server's own save + restore %2; so %3 beyond")
            .arg(part.ms(QStringLiteral("switch.median")),
                part.ms(QStringLiteral("serversOwnSaveAndRestore")), part.ms(QStringLiteral("beyond"))));
}

void addTraffic(Rows &rows, const QJsonObject &results)
{
    const Part part(results, QStringLiteral("traffic"));
    const auto told = [&](const QString &side) {
        return QStringLiteral(
            "%1 prompt tokens processed; %2 in all, first token after %3 (median), at most %4")
            .arg(part.count(side + QStringLiteral(".prefilledTokens")),
                part.ms(side + QStringLiteral(".totalMs")),
                part.ms(side + QStringLiteral(".firstTokenMs.median")),
                part.ms(side + QStringLiteral(".longestMs")));
    };
    const QString ours = QStringLiteral("withKvPersist");
    const QString bare = QStringLiteral("bareServer");
    add(rows,
        QStringLiteral("a parent and three sub-agents on one slot, %1 requests each at once")
            .arg(part.count(QStringLiteral("steps"))),
        part.missing({ ours, bare }),
        QStringLiteral(
            "%1 changes of owner, %2 saves, %3 written, %4. Bare server with its host prompt cache: %5")
            .arg(part.count(ours + QStringLiteral(".switches")), part.count(ours + QStringLiteral(".saves")),
                part.bytes(ours + QStringLiteral(".bytesSaved")), told(ours), told(bare)));
    const QString failing = QStringLiteral("slotsApiFailing");
    add(rows,
        QStringLiteral("%1 requests on a server that cannot save")
            .arg(part.count(failing + QStringLiteral(".requests"))),
        part.missing({ failing }),
        QStringLiteral("first token after %1 with kv-persist, %2 without (%3)")
            .arg(part.ms(failing + QStringLiteral(".withKvPersistMs.median")),
                part.ms(failing + QStringLiteral(".withoutMs.median")),
                times(part.number(failing + QStringLiteral(".ratioOfMedians")))));
}

void addSlots(Rows &rows, const QJsonObject &results)
{
    const Part part(results, QStringLiteral("slots"));
    QStringList ours;
    QStringList bare;
    const QJsonObject rounds = part.at(QStringLiteral("twoAtOnce")).toObject();
    for (int i = 0; rounds.contains(QStringLiteral("round%1").arg(i)); ++i) {
        const QString round = QStringLiteral("twoAtOnce.round%1.").arg(i);
        ours.append(shortNumber(part.number(round + QStringLiteral("withKvPersist.tokensPerSecond"))));
        bare.append(shortNumber(part.number(round + QStringLiteral("bareServer.tokensPerSecond"))));
    }
    add(rows, QStringLiteral("two sessions at once on two slots, rounds side by side"), part.missing(),
        QStringLiteral("%1 tokens/s with kv-persist; bare server %2; median of the ratios %3")
            .arg(ours.join(QStringLiteral(", ")), bare.join(QStringLiteral(", ")),
                times(part.number(QStringLiteral("twoAtOnce.ratioOfThroughput.median")))));
    const auto share = [&](const char *key) {
        return part.share(QStringLiteral("eightOnFour.%1.reusedShare").arg(QLatin1String(key)));
    };
    add(rows,
        QStringLiteral(
            "eight sessions taking %1 turns at random on four slots: prompt tokens that needed no processing")
            .arg(part.count(QStringLiteral("eightOnFour.turns"))),
        part.missing(),
        QStringLiteral(
            "%1 of %2; with the host prompt cache too %3. Bare server with that cache %4, without it %5. "
            "A restart of the server keeps only the first")
            .arg(share("withKvPersist"), part.count(QStringLiteral("eightOnFour.withKvPersist.promptTokens")),
                share("withKvPersistAndHostCache"), share("bareServerWithHostCache"), share("bareServer")));
}

void addProxy(Rows &rows, const QJsonObject &results)
{
    const Part part(results, QStringLiteral("proxy"));
    const auto added
        = [&](const char *key) { return part.us(QLatin1String(key) + QStringLiteral(".addedMedian")); };
    add(rows, QStringLiteral("the proxy adds"), part.missing({ QStringLiteral("chunk") }),
        QStringLiteral("%1 to a request that it passes on, %2 to a resident one, %3 to one of 6 kB, %4 to a "
                       "stream of 64 chunks, %5 to a chunk")
            .arg(added("passedRequest"), added("residentRequest"), added("residentRequestOf6kB"),
                added("streamOf64Chunks"), added("chunk")));
    const Part soak(results, QStringLiteral("soak"));
    const QJsonArray course = soak.at(QStringLiteral("residentBytesEachTenth")).toArray();
    add(rows,
        QStringLiteral("%1 minutes of traffic through the proxy")
            .arg(shortNumber(soak.number(QStringLiteral("minutes")))),
        soak.missing(),
        QStringLiteral(
            "%1 answers, %2 aborts, %3 malformed requests; %4 leases left, memory %5 at first, %6 at "
            "half-time, %7 at the end")
            .arg(soak.count(QStringLiteral("answered")), soak.count(QStringLiteral("aborted")),
                soak.count(QStringLiteral("refused")), soak.count(QStringLiteral("after.leases")),
                soak.bytes(QStringLiteral("before.residentBytes")), bytesText(course[4].toDouble()),
                soak.bytes(QStringLiteral("after.residentBytes"))));
}

void addStart(Rows &rows, const QJsonObject &results)
{
    const Part part(results, QStringLiteral("start"));
    QStringList sizes = results.value(u"start").toObject().keys();
    std::sort(sizes.begin(), sizes.end(),
        [](const QString &a, const QString &b) { return a.toLongLong() < b.toLongLong(); });
    if (!part.missing().isEmpty()) {
        add(rows, QStringLiteral("start with many snapshots"), part.missing(), {});
    }
    for (const QString &size : std::as_const(sizes)) {
        if (size.toLongLong() > 0) {
            add(rows, grouped(size.toLongLong()) + QStringLiteral(" snapshots"), part.missing({ size }),
                QStringLiteral("first answer %1 after the start; %2; first page of the list %3")
                    .arg(part.ms(size + QStringLiteral(".startToFirstAnswerMs.median")),
                        part.bytes(size + QStringLiteral(".memoryBytes")),
                        part.ms(size + QStringLiteral(".listFirstPageMs.median"))));
        }
    }
}

void addMany(Rows &rows, const QJsonObject &results)
{
    const Part list(results, QStringLiteral("list"));
    QStringList queries;
    const QJsonArray measured = list.at(QStringLiteral("queries")).toArray();
    for (const QJsonValue query : measured) {
        queries.append(QStringLiteral("%1 %2").arg(query[QStringLiteral("title")].toString(),
            milliseconds(query[QStringLiteral("ms")][QStringLiteral("median")].toDouble())));
    }
    add(rows,
        QStringLiteral("`kv.list` of %1, pages of %2")
            .arg(list.count(QStringLiteral("snapshots")), list.count(QStringLiteral("limit"))),
        list.missing(), queries.join(QStringLiteral(", ")));
    const Part memory(results, QStringLiteral("memory"));
    QStringList sizes;
    const QJsonArray points = memory.at(QStringLiteral("points")).toArray();
    for (const QJsonValue point : points) {
        sizes.append(QStringLiteral("%1 with %2 snapshots")
                         .arg(bytesText(point[QStringLiteral("workingBytes")].toDouble()),
                             grouped(point[QStringLiteral("snapshots")].toInteger())));
    }
    add(rows, QStringLiteral("memory of the daemon, after lists and requests"), memory.missing(),
        QStringLiteral("%1: %2 a snapshot (R² %3)")
            .arg(sizes.join(QStringLiteral(", ")), memory.bytes(QStringLiteral("bytesPerSnapshot")),
                QString::number(memory.number(QStringLiteral("r2")), 'f', 3)));
}

void addTray(Rows &rows, const QJsonObject &results)
{
    const Part part(results, QStringLiteral("tray"));
    add(rows, QStringLiteral("the tray with %1 snapshots").arg(part.count(QStringLiteral("snapshots"))),
        part.missing({ QStringLiteral("trayAtRest") }),
        QStringLiteral(
            "first page %1, another order %2, another filter %3, of which it waits 200 ms for the next "
            "key; %4 with the table open; at rest %5 % of a core; a change is known %6 after it was "
            "asked for")
            .arg(part.ms(QStringLiteral("firstPageMs")), part.ms(QStringLiteral("sortMs.median")),
                part.ms(QStringLiteral("filterMsAfterTheLastKey.median")),
                part.bytes(QStringLiteral("trayAtRest.memoryBytes")),
                shortNumber(part.number(QStringLiteral("trayAtRest.idleCpuPercent"))),
                part.ms(QStringLiteral("changeShownMs.median"))));
}

} // namespace

std::vector<std::pair<QString, QString>> measuredRows(const QJsonObject &results)
{
    Rows rows;
    addBases(rows, results);
    addOverhead(rows, results);
    addSwitch(rows, results);
    addTraffic(rows, results);
    addSlots(rows, results);
    addProxy(rows, results);
    addStart(rows, results);
    addMany(rows, results);
    addTray(rows, results);
    return rows;
}

} // namespace kv::bench
