// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <QString>

#include <map>

namespace kv {

/// Room on the file system of one server's slot files, as far as it is known. Pure.
class DiskRoom final {
public:
    void measured(qint64 freeBytes) { m_freeBytes = freeBytes; } ///< −1: not known
    [[nodiscard]] qint64 freeBytes() const { return m_freeBytes; }
    /// A file that nobody deletes: a save that writes over it needs less room.
    void remember(NameNumber name, qint64 bytes) { m_fileBytes[name] = bytes; }
    /// Written since the last measurement. `stays`: nobody deletes it.
    void wrote(NameNumber name, qint64 bytes, bool stays);
    /// Why a file of about `needed` bytes (0: not known) must not be written under this name, as less than
    /// `floor` (0: none) would be left free; empty: there is room, or it is not known.
    [[nodiscard]] QString refusal(qint64 floor, qint64 needed, NameNumber name) const;

    /// A save was refused, and there has not been room since. setShort(): true: that is news.
    [[nodiscard]] bool isShort() const { return m_short; }
    bool setShort();
    void relieved() { m_short = false; }

private:
    friend struct JournalAccess;
    qint64 m_freeBytes = -1;
    std::map<NameNumber, qint64> m_fileBytes;
    bool m_short = false;
};

} // namespace kv
