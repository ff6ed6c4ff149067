// SPDX-License-Identifier: MIT
#pragma once

#include <QWizardPage>

#include <functional>

namespace kv {

/// A page of the assistant; what it needs to go on is told by the dialog.
class FirstStartPage final : public QWizardPage {
    Q_OBJECT

public:
    using QWizardPage::QWizardPage;

    void setComplete(bool complete)
    {
        if (m_complete != complete) {
            m_complete = complete;
            Q_EMIT completeChanged();
        }
    }
    /// Asked when the user goes on; false: not yet.
    void setValidator(const std::function<bool()> &validator) { m_validator = validator; }

    [[nodiscard]] bool isComplete() const override { return m_complete; }
    bool validatePage() override { return !m_validator || m_validator(); }

private:
    bool m_complete = true;
    std::function<bool()> m_validator;
};

} // namespace kv
