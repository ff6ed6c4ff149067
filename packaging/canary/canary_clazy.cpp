// SPDX-License-Identifier: MIT
// One known defect per level of clazy checks, and for the one named besides: packaging/checks.sh expects each line
// marked "expect" to be reported by the check that it names. It is part of no build.
#include <QList>
#include <QMap>
#include <QObject>
#include <QString>
#include <QTimer>

namespace canary {

bool levelZero(const QMap<int, int> &map)
{
    return map.keys().contains(1); // expect container-anti-pattern
}

int levelOne(const QList<QString> &list)
{
    int sum = 0;
    for (QString text : list) { // expect range-loop-reference
        sum += static_cast<int>(text.size());
    }
    return sum;
}

class NoContext final : public QObject {
public:
    void threeArguments(QTimer *timer)
    {
        connect(timer, &QTimer::timeout, [this] { ++m_count; }); // expect connect-3arg-lambda
    }

private:
    int m_count = 0;
};

} // namespace canary
