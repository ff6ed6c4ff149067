// SPDX-License-Identifier: MIT
// What the shell finds out about snapshot files outside of any operation on a slot.
#include "coordinator.h"

namespace kv {

void Coordinator::on(const ChecksumKnown &event)
{
    Snapshot *row = m_index.row(event.session, event.fingerprintHash);
    if (row == nullptr || row->name != event.name || row->checksum == event.checksum) {
        return;
    }
    row->checksum = event.checksum;
    putChanged(*row);
}

} // namespace kv
