// SPDX-License-Identifier: MIT
#include "sessionexport.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace kv {

namespace {

constexpr int c_pageRows = 500;

QStringList csvFields()
{
    return QStringLiteral(
        "label session hash provider model server state reason tokens bytes createdAt updatedAt "
        "lastRestoreAt verdict pinned subagent slot")
        .split(u' ');
}

/// Quoted where needed; a text that a spreadsheet would take for a formula is made plain text.
QByteArray csvCell(const QJsonValue &value)
{
    if (!value.isString()) {
        return value.toVariant().toString().toUtf8();
    }
    QString text = value.toString();
    if (!text.isEmpty() && QStringLiteral("=+-@\t\r").contains(text.front())) {
        text.prepend(u'\'');
    }
    text.replace(u'"', QStringLiteral("\"\""));
    return (u'"' + text + u'"').toUtf8();
}

} // namespace

SessionExport::SessionExport(
    Daemon &daemon, QJsonObject listParams, const QString &path, Format format, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
    , m_params(std::move(listParams))
    , m_file(path)
    , m_format(format)
{
}

void SessionExport::start()
{
    if (!m_file.open(QIODevice::WriteOnly)) {
        finish(tr("%1 cannot be written: %2. Choose another folder.")
                   .arg(m_file.fileName(), m_file.errorString()));
        return;
    }
    m_file.write(m_format == Format::Json ? QByteArray("[\n") : csvFields().join(u',').toUtf8() + "\r\n");
    nextPage();
}

void SessionExport::cancel()
{
    m_file.cancelWriting();
    finish(tr("The export was cancelled; nothing was written."));
}

void SessionExport::nextPage()
{
    QJsonObject params = m_params;
    params.insert(QStringLiteral("offset"), m_done);
    params.insert(QStringLiteral("limit"), c_pageRows);
    m_daemon.call(
        QStringLiteral("kv.list"), params, this, [this](const CallResult &answer) { onPage(answer); });
}

void SessionExport::onPage(const CallResult &answer)
{
    if (m_over) {
        return;
    }
    if (!answer.ok()) {
        m_file.cancelWriting();
        finish(tr("Nothing was exported: %1").arg(answer.error.error.message));
        return;
    }
    const QJsonArray rows = answer.result.value(u"rows").toArray();
    for (const QJsonValue &row : rows) {
        write(row.toObject());
    }
    const int total = answer.result.value(u"total").toInt();
    Q_EMIT progressed(m_done, total);
    if (!rows.isEmpty() && m_done < total) {
        nextPage();
        return;
    }
    if (m_format == Format::Json) {
        m_file.write("\n]\n");
    }
    finish(m_file.commit() ? tr("%n row(s) exported to %1.", nullptr, m_done).arg(m_file.fileName())
                           : tr("%1 could not be written: %2.").arg(m_file.fileName(), m_file.errorString()));
}

void SessionExport::write(const QJsonObject &row)
{
    if (m_format == Format::Json) {
        m_file.write(m_done == 0 ? "" : ",\n");
        m_file.write(QJsonDocument(row).toJson(QJsonDocument::Compact));
    } else {
        QByteArrayList cells;
        const QStringList fields = csvFields();
        for (const QString &field : fields) {
            cells.append(csvCell(row.value(field)));
        }
        m_file.write(cells.join(',') + "\r\n");
    }
    ++m_done;
}

void SessionExport::finish(const QString &sentence)
{
    if (!m_over) {
        m_over = true;
        Q_EMIT finished(sentence);
    }
}

} // namespace kv
