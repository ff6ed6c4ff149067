// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractListModel>
#include <QJsonObject>
#include <QStringList>

#include <vector>

namespace kv {

/// One check of kv.doctor, as it is shown.
struct DoctorCheck {
    enum class Verdict { Passed, Warning, Failed };

    Verdict verdict = Verdict::Failed;
    QString server; ///< empty: it concerns the daemon, or an address that is not configured
    QString name;
    QString message;
    QString remedy; ///< a sentence; empty when passed
    QStringList snippets; ///< what of it is typed somewhere: flags and settings, to be copied

    static DoctorCheck fromJson(const QJsonObject &check);
    [[nodiscard]] QString verdictText() const; ///< "Passed", translated
    [[nodiscard]] QString headline() const; ///< "Slot saving"
    [[nodiscard]] QString asText() const; ///< several lines, for the clipboard

    bool operator==(const DoctorCheck &) const = default;
};

/// The checks of one run in the order in which they came.
class DoctorModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { VerdictRole = Qt::UserRole, ServerRole, MessageRole, RemedyRole, SnippetsRole };

    using QAbstractListModel::QAbstractListModel;

    void clear();
    void append(const DoctorCheck &check);
    [[nodiscard]] const DoctorCheck &at(int row) const { return m_checks.at(static_cast<std::size_t>(row)); }
    [[nodiscard]] int count(DoctorCheck::Verdict verdict) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;

private:
    std::vector<DoctorCheck> m_checks;
};

} // namespace kv
