// SPDX-License-Identifier: MIT
#include "doctormodel.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace kv {

namespace {

struct DoctorModelText {
    Q_DECLARE_TR_FUNCTIONS(kv::DoctorModel)
};

DoctorCheck::Verdict verdictOf(const QString &result)
{
    if (result == QStringLiteral("passed")) {
        return DoctorCheck::Verdict::Passed;
    }
    return result == QStringLiteral("warning") ? DoctorCheck::Verdict::Warning : DoctorCheck::Verdict::Failed;
}

/// The daemon may name only the flag or the setting.
QString remedySentence(const QString &remedy)
{
    static const QRegularExpression flag(QStringLiteral("^--[a-z-]+( [A-Z]+)?$"));
    static const QRegularExpression setting(QStringLiteral("^[A-Za-z.]+$"));
    if (flag.match(remedy).hasMatch()) {
        return DoctorModelText::tr("Start llama-server with %1.").arg(remedy);
    }
    if (setting.match(remedy).hasMatch()) {
        return DoctorModelText::tr("Look at the setting %1.").arg(remedy);
    }
    return remedy;
}

QStringList snippetsOf(const QString &remedy)
{
    static const QRegularExpression typed(
        QStringLiteral("--[a-z][a-z-]*(?: (?:[A-Z]{2,}|\\d+)\\b)?"
                       "|\\b(?:mode|slotId|slotSavePath|snapshotBinaryManagement): [^\\s,”]*[^\\s,.”]"));
    QStringList out;
    for (auto match = typed.globalMatch(remedy); match.hasNext();) {
        const QString one = match.next().captured();
        if (!out.contains(one)) {
            out.append(one);
        }
    }
    return out;
}

} // namespace

DoctorCheck DoctorCheck::fromJson(const QJsonObject &check)
{
    DoctorCheck out;
    out.verdict = verdictOf(check.value(u"result").toString());
    out.server = check.value(u"server").toString();
    out.name = check.value(u"name").toString();
    out.message = check.value(u"message").toString();
    out.remedy = remedySentence(check.value(u"remedy").toString());
    out.snippets = snippetsOf(out.remedy);
    return out;
}

QString DoctorCheck::verdictText() const
{
    switch (verdict) {
    case Verdict::Passed:
        return DoctorModelText::tr("Passed");
    case Verdict::Warning:
        return DoctorModelText::tr("Warning");
    case Verdict::Failed:
        break;
    }
    return DoctorModelText::tr("Failed");
}

QString DoctorCheck::headline() const { return name.isEmpty() ? name : name.front().toUpper() + name.mid(1); }

QString DoctorCheck::asText() const
{
    QString out = server.isEmpty()
        ? DoctorModelText::tr("[%1] %2: %3").arg(verdictText(), headline(), message)
        : DoctorModelText::tr("[%1] %2, %3: %4").arg(verdictText(), server, headline(), message);
    if (!remedy.isEmpty()) {
        out += QStringLiteral("\n    ") + remedy;
    }
    return out;
}

void DoctorModel::clear()
{
    beginResetModel();
    m_checks.clear();
    endResetModel();
}

void DoctorModel::append(const DoctorCheck &check)
{
    const int row = static_cast<int>(m_checks.size());
    beginInsertRows({}, row, row);
    m_checks.push_back(check);
    endInsertRows();
}

int DoctorModel::count(DoctorCheck::Verdict verdict) const
{
    return static_cast<int>(std::count_if(m_checks.begin(), m_checks.end(),
        [verdict](const DoctorCheck &check) { return check.verdict == verdict; }));
}

int DoctorModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_checks.size());
}

QVariant DoctorModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const DoctorCheck &check = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return check.headline();
    case Qt::AccessibleTextRole:
        return check.asText();
    case VerdictRole:
        return static_cast<int>(check.verdict);
    case ServerRole:
        return check.server;
    case MessageRole:
        return check.message;
    case RemedyRole:
        return check.remedy;
    case SnippetsRole:
        return check.snippets;
    default:
        return {};
    }
}

} // namespace kv
