// SPDX-License-Identifier: MIT
#include "translation.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace kv {

QString catalogueFor(const QStringList &languages, const QStringList &available)
{
    for (const QString &language : languages) {
        const QLocale locale(language == u"C" ? QStringLiteral("en") : language);
        for (const QString &catalogue : available) {
            const QLocale offered(catalogue);
            if (offered.language() == locale.language() && offered.script() == locale.script()) {
                return catalogue;
            }
        }
        if (locale.language() == QLocale::English) {
            return {}; // whatever comes after it is less wanted
        }
    }
    return {};
}

void installTranslations(QCoreApplication *application, const QString &language)
{
    const QString folder = QStringLiteral(":/i18n");
    const QString prefix = QStringLiteral("kv-persist_");
    QStringList available = QDir(folder).entryList({ prefix + QStringLiteral("*.qm") });
    for (QString &name : available) {
        name = name.mid(prefix.size()).chopped(3);
    }
    const QString chosen
        = catalogueFor(language.isEmpty() ? QLocale().uiLanguages() : QStringList { language }, available);
    if (chosen.isEmpty()) {
        return;
    }
    const auto install = [application](const QString &name, const QString &from) {
        auto *translator = new QTranslator(application);
        if (translator->load(name, from)) {
            QCoreApplication::installTranslator(translator);
        }
    };
    install(QStringLiteral("qtbase_") + chosen, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(prefix + chosen, folder); // the last one is asked first
}

} // namespace kv
