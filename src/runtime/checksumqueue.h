// SPDX-License-Identifier: MIT
#pragma once

#include "event.h"
#include "filejob.h"

#include <QObject>
#include <QThreadPool>

#include <deque>
#include <memory>

namespace kv {

/// Computes the checksums of snapshot files that are on record: one at a time, in a thread of its own of the
/// lowest priority, so that no check before a restore ever waits for it. Lives in the logic thread.
///
/// A file whose name is given to another operation has to be dropped first: what is computed is then never
/// told. A file that is not as recorded is not told either; the check before its restore will say so.
class ChecksumQueue final : public QObject {
    Q_OBJECT

public:
    struct Item {
        QString session;
        QString label;
        SnapshotFile file;
        FileExpectation expected; ///< size and header as recorded
    };

    explicit ChecksumQueue(QObject *parent = nullptr);
    ~ChecksumQueue() override; ///< stops what is under way
    Q_DISABLE_COPY_MOVE(ChecksumQueue)

    void add(const Item &item); ///< once: a file that waits already is not added again
    void drop(NameNumber number);
    void clear();
    [[nodiscard]] bool isEmpty() const { return m_items.empty(); }

Q_SIGNALS:
    /// From the event loop.
    void computed(const kv::ChecksumKnown &known);
    void progressed(const kv::ChecksumQueue::Item &item, int permille);

private:
    void next();

    QThreadPool m_pool;
    std::deque<Item> m_items; // the first is under way
    std::unique_ptr<FileJob> m_job;
};

} // namespace kv
