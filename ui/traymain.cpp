// SPDX-License-Identifier: MIT
#include <QApplication>

int main(int argc, char *argv[])
{
    const QApplication app(argc, argv);
    return QApplication::exec();
}
