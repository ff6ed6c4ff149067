<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>kv::ActivityPage</name>
    <message>
        <source>Filter by event, server, session or text</source>
        <translation>Nach Ereignis, Server, Sitzung oder Text filtern</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>While paused, new events are left out</source>
        <translation>Während der Pause werden neue Ereignisse ausgelassen</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>&amp;Activity</source>
        <translation>&amp;Aktivität</translation>
    </message>
    <message>
        <source>Show the &amp;last</source>
        <translation>Die &amp;letzten</translation>
    </message>
    <message>
        <source>How far back the timeline and the charts go</source>
        <translation>Wie weit Zeitleiste und Diagramme zurückreichen</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>A&amp;rt</translation>
    </message>
    <message>
        <source>Which events are listed</source>
        <translation>Welche Ereignisse aufgeführt werden</translation>
    </message>
    <message>
        <source>Copy as &amp;text</source>
        <translation>Als &amp;Text kopieren</translation>
    </message>
    <message>
        <source>Puts the listed events on the clipboard, a line each.</source>
        <translation>Legt die aufgeführten Ereignisse in die Zwischenablage, je eines pro Zeile.</translation>
    </message>
    <message>
        <source>Save and restore time</source>
        <translation>Dauer von Sichern und Wiederherstellen</translation>
    </message>
    <message>
        <source>Hit rate</source>
        <translation>Trefferquote</translation>
    </message>
</context>
<context>
    <name>kv::App</name>
    <message>
        <source>This desktop has no tray, so the window is shown instead.</source>
        <translation>Diese Arbeitsumgebung hat keinen Systemabschnitt, deshalb wird das Fenster gezeigt.</translation>
    </message>
</context>
<context>
    <name>kv::AppScreenshots</name>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>Der Ordner %1 kann nicht angelegt werden.</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>%1 kann nicht geschrieben werden.</translation>
    </message>
</context>
<context>
    <name>kv::AtomicFile</name>
    <message>
        <source>The file &apos;%1&apos; cannot be written (%2); it is as it was. Check the rights and the free space of its folder.</source>
        <translation>Die Datei „%1“ kann nicht geschrieben werden (%2); sie ist unverändert. Bitte die Rechte und den freien Platz ihres Ordners prüfen.</translation>
    </message>
</context>
<context>
    <name>kv::Autostart</name>
    <message>
        <source>%1 was not written by kv-persist, so it was left as it is. Change or remove that file yourself.</source>
        <translation>%1 wurde nicht von kv-persist geschrieben und ist deshalb unverändert. Bitte die Datei von Hand ändern oder entfernen.</translation>
    </message>
    <message>
        <source>%1 cannot be removed: %2. Remove it yourself to keep the program from starting.</source>
        <translation>%1 kann nicht entfernt werden: %2. Bitte von Hand entfernen, damit das Programm nicht mehr startet.</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made, so the program will not start by itself. Check the folder&apos;s rights.</source>
        <translation>Der Ordner %1 kann nicht angelegt werden, deshalb startet das Programm nicht von selbst. Bitte die Rechte des Ordners prüfen.</translation>
    </message>
</context>
<context>
    <name>kv::ByteSize</name>
    <message>
        <source>found &apos;%1&apos;, expected a size such as 100GB, 5GiB or a number of bytes</source>
        <translation>„%1“ gefunden, erwartet wird eine Größe wie 100GB, 5GiB oder eine Anzahl von Bytes</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>%1 KiB</source>
        <translation>%1 KiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>%1 TiB</source>
        <translation>%1 TiB</translation>
    </message>
    <message>
        <source>%1 PiB</source>
        <translation>%1 PiB</translation>
    </message>
</context>
<context>
    <name>kv::ChartView</name>
    <message>
        <source>Nothing in this time</source>
        <translation>Nichts in dieser Zeit</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>time, value</comment>
        <translation>%1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s); last %1, largest %2</source>
        <translation>
            <numerusform>%n Wert; letzter %1, größter %2</numerusform>
            <numerusform>%n Werte; letzter %1, größter %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::CliText</name>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>Shows and steers kv-persistd, which keeps local LLM sessions warm.</source>
        <translation>Zeigt und steuert kv-persistd, das lokale LLM-Sitzungen warmhält.</translation>
    </message>
    <message>
        <source>Show the version and exit</source>
        <translation>Die Version zeigen</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>OPTIONS</source>
        <translation>OPTIONEN</translation>
    </message>
    <message>
        <source>COMMAND</source>
        <translation>BEFEHL</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>REQUIRED</source>
        <translation>ERFORDERLICH</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Show this help and exit</source>
        <translation>Diese Hilfe zeigen</translation>
    </message>
    <message>
        <source>Exit codes: 0 done, 1 the daemon said no, 2 wrong command line or file, 3 no daemon or no answer,
            4 doctor: NOT READY, 5 doctor: READY WITH WARNINGS.
A SESSION is the id that the harness uses, or 6 or more digits of the hash that &quot;list&quot; shows.
The socket is --socket, else $KV_PERSIST_SOCKET, else $XDG_RUNTIME_DIR/kv-persist/api.sock.
&quot;kv-persist COMMAND --help&quot; shows an example of each command. Begin with: kv-persist doctor</source>
        <translation>Rückgabewerte: 0 erledigt, 1 vom Daemon abgelehnt, 2 falsche Befehlszeile oder Datei,
               3 kein Daemon oder keine Antwort, 4 doctor: NOT READY, 5 doctor: READY WITH WARNINGS.
SESSION ist die Kennung, die das Harness verwendet, oder mindestens 6 Stellen des Hashes, den „list“ zeigt.
Der Socket ist --socket, sonst $KV_PERSIST_SOCKET, sonst $XDG_RUNTIME_DIR/kv-persist/api.sock.
„kv-persist BEFEHL --help“ zeigt zu jedem Befehl ein Beispiel. Am besten anfangen mit: kv-persist doctor</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Example:
  %1</source>
        <translation>Beispiel:
  %1</translation>
    </message>
    <message>
        <source>only its snapshots for this provider</source>
        <translation>nur ihre Snapshots für diesen Anbieter</translation>
    </message>
    <message>
        <source>only its snapshots for this model</source>
        <translation>nur ihre Snapshots für dieses Modell</translation>
    </message>
    <message>
        <source>only its snapshots on this server</source>
        <translation>nur ihre Snapshots auf diesem Server</translation>
    </message>
    <message>
        <source>its id, or 6 or more digits of its hash</source>
        <translation>ihre Kennung, oder mindestens 6 Stellen ihres Hashes</translation>
    </message>
    <message>
        <source>the daemon&apos;s socket</source>
        <translation>Socket des Daemons</translation>
    </message>
    <message>
        <source>print the daemon&apos;s document, for programs</source>
        <translation>das Dokument des Daemons ausgeben, für Programme</translation>
    </message>
    <message>
        <source>seconds to wait for the answer</source>
        <translation>so viele Sekunden auf die Antwort warten</translation>
    </message>
    <message>
        <source>auto (on a terminal, unless NO_COLOR is set), always or never</source>
        <translation>auto (auf einem Terminal, außer NO_COLOR ist gesetzt), always oder never</translation>
    </message>
    <message>
        <source>Servers, slots, snapshots, totals and advice</source>
        <translation>Server, Slots, Snapshots, Summen und Hinweise</translation>
    </message>
    <message>
        <source>Who has which slot now</source>
        <translation>Wer gerade welchen Slot hat</translation>
    </message>
    <message>
        <source>The snapshots on record</source>
        <translation>Die verzeichneten Snapshots</translation>
    </message>
    <message>
        <source>part of label, hash, provider, model or server; or state:valid, pinned:true</source>
        <translation>Teil von Bezeichnung, Hash, Anbieter, Modell oder Server; oder state:valid, pinned:true</translation>
    </message>
    <message>
        <source>column by its name in --json; else newest first</source>
        <translation>Spalte mit ihrem Namen in --json; sonst die neuesten zuerst</translation>
    </message>
    <message>
        <source>largest first</source>
        <translation>die größten zuerst</translation>
    </message>
    <message>
        <source>at most so many rows (1 to 1000, else 100)</source>
        <translation>höchstens so viele Zeilen (1 bis 1000, sonst 100)</translation>
    </message>
    <message>
        <source>skip so many rows</source>
        <translation>so viele Zeilen überspringen</translation>
    </message>
    <message>
        <source>One session: its state and its snapshots</source>
        <translation>Eine Sitzung: ihr Zustand und ihre Snapshots</translation>
    </message>
    <message>
        <source>All counters, in the text format of Prometheus</source>
        <translation>Alle Zähler, im Textformat von Prometheus</translation>
    </message>
    <message>
        <source>Checks the servers and says what to do; ends in READY, READY WITH WARNINGS or NOT READY</source>
        <translation>Prüft die Server und sagt, was zu tun ist; endet mit READY, READY WITH WARNINGS oder NOT READY</translation>
    </message>
    <message>
        <source>only this configured server</source>
        <translation>nur dieser eingerichtete Server</translation>
    </message>
    <message>
        <source>a server that is not configured</source>
        <translation>ein Server, der nicht eingerichtet ist</translation>
    </message>
    <message>
        <source>file with the key for --url</source>
        <translation>Datei mit dem Schlüssel für --url</translation>
    </message>
    <message>
        <source>Shows what happens, until Ctrl-C</source>
        <translation>Zeigt, was geschieht, bis Strg+C</translation>
    </message>
    <message>
        <source>beginnings of event names, separated by commas</source>
        <translation>Anfänge von Ereignisnamen, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>What happened in a span of time</source>
        <translation>Was in einem Zeitraum geschah</translation>
    </message>
    <message>
        <source>a session, or</source>
        <translation>eine Sitzung, oder</translation>
    </message>
    <message>
        <source>a server</source>
        <translation>ein Server</translation>
    </message>
    <message>
        <source>so long ago until now: 30min, 2h, 7d (else 24h)</source>
        <translation>von so lange her bis jetzt: 30min, 2h, 7d (sonst 24h)</translation>
    </message>
    <message>
        <source>begin, an ISO 8601 time</source>
        <translation>Anfang, eine Zeit nach ISO 8601</translation>
    </message>
    <message>
        <source>end, an ISO 8601 time; else now</source>
        <translation>Ende, eine Zeit nach ISO 8601; sonst jetzt</translation>
    </message>
    <message>
        <source>length of a row: 1min, 1h</source>
        <translation>Dauer einer Zeile: 1min, 1h</translation>
    </message>
    <message>
        <source>Saves the state that a session has in its slot</source>
        <translation>Sichert den Zustand, den eine Sitzung in ihrem Slot hat</translation>
    </message>
    <message>
        <source>Brings a session back into a slot before it is needed</source>
        <translation>Holt eine Sitzung in einen Slot zurück, bevor sie gebraucht wird</translation>
    </message>
    <message>
        <source>Its snapshots are not used any more; the next request starts cold</source>
        <translation>Ihre Snapshots werden nicht mehr verwendet; die nächste Anfrage beginnt kalt</translation>
    </message>
    <message>
        <source>shown with the snapshot</source>
        <translation>wird beim Snapshot angezeigt</translation>
    </message>
    <message>
        <source>Deletes its snapshots; asks before. Only speed is lost, never the conversation</source>
        <translation>Löscht ihre Snapshots, nach Rückfrage. Verloren geht nur Zeit, nie das Gespräch</translation>
    </message>
    <message>
        <source>do not ask</source>
        <translation>nicht nachfragen</translation>
    </message>
    <message>
        <source>Keeps its snapshots from being removed for age or space</source>
        <translation>Bewahrt ihre Snapshots davor, wegen Alter oder Platz entfernt zu werden</translation>
    </message>
    <message>
        <source>Takes the pin away</source>
        <translation>Löst die Anheftung</translation>
    </message>
    <message>
        <source>Saves every slot that holds unsaved state</source>
        <translation>Sichert jeden Slot mit ungesichertem Zustand</translation>
    </message>
    <message>
        <source>Removes what the retention rules let go</source>
        <translation>Entfernt, was die Aufbewahrungsregeln freigeben</translation>
    </message>
    <message>
        <source>only show what would be removed</source>
        <translation>nur zeigen, was entfernt würde</translation>
    </message>
    <message>
        <source>Nothing is saved or restored; requests go on</source>
        <translation>Nichts wird gesichert oder wiederhergestellt; Anfragen laufen weiter</translation>
    </message>
    <message>
        <source>only this server</source>
        <translation>nur dieser Server</translation>
    </message>
    <message>
        <source>resume by itself after 90s, 10min, 2h</source>
        <translation>von selbst fortsetzen nach 90s, 10min, 2h</translation>
    </message>
    <message>
        <source>Ends a pause</source>
        <translation>Beendet eine Pause</translation>
    </message>
    <message>
        <source>Reads the configuration file anew, whole or not at all</source>
        <translation>Liest die Konfigurationsdatei neu ein, ganz oder gar nicht</translation>
    </message>
    <message>
        <source>The daemon&apos;s configuration</source>
        <translation>Die Konfiguration des Daemons</translation>
    </message>
    <message>
        <source>Prints the file in use</source>
        <translation>Gibt die verwendete Datei aus</translation>
    </message>
    <message>
        <source>a YAML file; - is the standard input</source>
        <translation>eine YAML-Datei; - ist die Standardeingabe</translation>
    </message>
    <message>
        <source>Checks a file; nothing is changed</source>
        <translation>Prüft eine Datei; nichts wird geändert</translation>
    </message>
    <message>
        <source>Replaces the configuration and applies it</source>
        <translation>Ersetzt die Konfiguration und wendet sie an</translation>
    </message>
    <message>
        <source>only if the present file has this hash (config get --json)</source>
        <translation>nur wenn die jetzige Datei diesen Hash hat (config get --json)</translation>
    </message>
    <message>
        <source>Where the file is</source>
        <translation>Wo die Datei liegt</translation>
    </message>
    <message>
        <source>Prints all keys with their defaults, to begin with</source>
        <translation>Gibt alle Schlüssel mit ihren Voreinstellungen aus, als Anfang</translation>
    </message>
    <message>
        <source>Collects what an issue needs: journals, status, doctor, versions; nothing of a conversation</source>
        <translation>Sammelt, was ein Fehlerbericht braucht: Journale, Status, Befunde von doctor, Versionen; nichts aus Gesprächen</translation>
    </message>
    <message>
        <source>a new folder, or a file that ends in .tar.gz</source>
        <translation>ein neuer Ordner oder eine Datei, die auf .tar.gz endet</translation>
    </message>
    <message>
        <source>the metadata folder, if no daemon runs and it is not the usual one</source>
        <translation>der Metadatenordner, falls kein Daemon läuft und es nicht der übliche ist</translation>
    </message>
    <message>
        <source>the configuration file, likewise</source>
        <translation>die Konfigurationsdatei, ebenso</translation>
    </message>
    <message>
        <source>Runs a journal again and shows every event, state and decision; needs no daemon</source>
        <translation>Spielt ein Journal erneut ab und zeigt jedes Ereignis, jeden Zustand und jede Entscheidung; braucht keinen Daemon</translation>
    </message>
    <message>
        <source>a journal, of a report or of this machine</source>
        <translation>ein Journal, aus einem Bericht oder von diesem Rechner</translation>
    </message>
    <message>
        <source>with every field, write and timer</source>
        <translation>mit jedem Feld, Schreibvorgang und Zeitgeber</translation>
    </message>
    <message>
        <source>There is no command &quot;%1&quot;.</source>
        <translation>Es gibt keinen Befehl „%1“.</translation>
    </message>
    <message>
        <source>Did you mean &quot;%1&quot;?</source>
        <translation>Ist „%1“ gemeint?</translation>
    </message>
    <message>
        <source>kv-persist: %1
&quot;kv-persist --help&quot; shows the commands, &quot;kv-persist COMMAND --help&quot; one of them.
</source>
        <translation>kv-persist: %1
„kv-persist --help“ zeigt die Befehle, „kv-persist BEFEHL --help“ einen davon.
</translation>
    </message>
    <message>
        <source>  line %1: %2</source>
        <translation>  Zeile %1: %2</translation>
    </message>
    <message>
        <source>The daemon is gone.</source>
        <translation>Der Daemon ist nicht mehr da.</translation>
    </message>
    <message>
        <source>Start it with &quot;kv-persistd&quot;, or name the socket of a running one with --socket.</source>
        <translation>Er lässt sich mit „kv-persistd“ starten; den Socket eines laufenden nennt --socket.</translation>
    </message>
    <message>
        <source>Result: %1</source>
        <translation>Ergebnis: %1</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>%1 kann nicht gelesen werden: %2.</translation>
    </message>
    <message>
        <source>FROM</source>
        <translation>AB</translation>
    </message>
    <message>
        <source>REQUESTS</source>
        <translation>ANFRAGEN</translation>
    </message>
    <message>
        <source>RESTORES</source>
        <translation>WIEDERHERGESTELLT</translation>
    </message>
    <message>
        <source>SAVES</source>
        <translation>GESICHERT</translation>
    </message>
    <message>
        <source>COLD</source>
        <translation>KALT</translation>
    </message>
    <message>
        <source>FAILED</source>
        <translation>FEHLER</translation>
    </message>
    <message>
        <source>PROMPT</source>
        <translation>PROMPT</translation>
    </message>
    <message>
        <source>REUSED</source>
        <translation>WIEDERVERWENDET</translation>
    </message>
    <message>
        <source>GENERATED</source>
        <translation>ERZEUGT</translation>
    </message>
    <message>
        <source>TIME SAVED</source>
        <translation>GESPARTE ZEIT</translation>
    </message>
    <message>
        <source>SLOT</source>
        <translation>SLOT</translation>
    </message>
    <message>
        <source>FOR</source>
        <translation>DAUER</translation>
    </message>
    <message>
        <source>WHAT</source>
        <translation>WAS</translation>
    </message>
    <message>
        <source>SESSION</source>
        <translation>SITZUNG</translation>
    </message>
    <message>
        <source>LABEL</source>
        <translation>BEZEICHNUNG</translation>
    </message>
    <message>
        <source>TOKENS</source>
        <translation>TOKEN</translation>
    </message>
    <message>
        <source>SIZE</source>
        <translation>GRÖSSE</translation>
    </message>
    <message>
        <source>ERROR</source>
        <translation>FEHLER</translation>
    </message>
    <message>
        <source>Give --from or --since, not both.</source>
        <translation>Nur --from oder --since angeben, nicht beides.</translation>
    </message>
    <message>
        <source>--from and --to want times such as 2026-01-31T12:00:00Z.</source>
        <translation>--from und --to erwarten Zeiten wie 2026-01-31T12:00:00Z.</translation>
    </message>
    <message>
        <source>The span ends before it begins. --since wants a length such as 30min, 2h or 7d.</source>
        <translation>Der Zeitraum endet, bevor er beginnt. --since erwartet eine Dauer wie 30min, 2h oder 7d.</translation>
    </message>
    <message>
        <source>Name a session, or a server with --server.</source>
        <translation>Bitte eine Sitzung nennen oder mit --server einen Server.</translation>
    </message>
    <message>
        <source>--bucket wants a length such as 1min or 1h.</source>
        <translation>--bucket erwartet eine Dauer wie 1min oder 1h.</translation>
    </message>
    <message>
        <source>Nothing happened in this time.</source>
        <translation>In dieser Zeit ist nichts geschehen.</translation>
    </message>
    <message>
        <source>%1 is too large for a journal.</source>
        <translation>%1 ist zu groß für ein Journal.</translation>
    </message>
    <message>
        <source>no session</source>
        <translation>keine Sitzung</translation>
    </message>
    <message>
        <source>no slot</source>
        <translation>kein Slot</translation>
    </message>
    <message>
        <source>slot %1</source>
        <translation>Slot %1</translation>
    </message>
    <message>
        <source>slot %1 of %2</source>
        <translation>Slot %1 von %2</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>already running</source>
        <translation>läuft bereits</translation>
    </message>
    <message>
        <source>adapters of its own</source>
        <translation>eigene Adapter</translation>
    </message>
    <message>
        <source>begin of request %1</source>
        <translation>Beginn von Anfrage %1</translation>
    </message>
    <message>
        <source>%1 reused</source>
        <translation>%1 wiederverwendet</translation>
    </message>
    <message>
        <source>%1 generated</source>
        <translation>%1 erzeugt</translation>
    </message>
    <message>
        <source>more to come</source>
        <translation>es folgt noch mehr</translation>
    </message>
    <message>
        <source>end of lease %1</source>
        <translation>Ende der Zuteilung %1</translation>
    </message>
    <message>
        <source>end of a call</source>
        <translation>Ende eines Aufrufs</translation>
    </message>
    <message>
        <source>client %1 has gone</source>
        <translation>Client %1 ist gegangen</translation>
    </message>
    <message>
        <source>request %1 is no longer wanted</source>
        <translation>Anfrage %1 wird nicht mehr gewünscht</translation>
    </message>
    <message>
        <source>by hand, request %1: %2 %3</source>
        <translation>von Hand, Anfrage %1: %2 %3</translation>
    </message>
    <message>
        <source>hint %1 of %2</source>
        <translation>Hinweis %1 von %2</translation>
    </message>
    <message>
        <source>failed, %1</source>
        <translation>fehlgeschlagen, %1</translation>
    </message>
    <message>
        <source>asleep</source>
        <translation>schläft</translation>
    </message>
    <message>
        <source>slot %1 %2, %3 tokens</source>
        <translation>Slot %1 %2, %3 Token</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>beschäftigt</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>frei</translation>
    </message>
    <message>
        <source>answer to %1 #%2</source>
        <translation>Antwort auf %1 #%2</translation>
    </message>
    <message>
        <source>database: %1 is durable</source>
        <translation>Datenbank: %1 ist dauerhaft</translation>
    </message>
    <message>
        <source>database: %1 failed: %2</source>
        <translation>Datenbank: %1 fehlgeschlagen: %2</translation>
    </message>
    <message>
        <source>retention lets %1 snapshots go</source>
        <translation>die Aufbewahrung gibt %1 Snapshots frei</translation>
    </message>
    <message>
        <source>checksum of file %1 is known (%2)</source>
        <translation>Prüfsumme der Datei %1 ist bekannt (%2)</translation>
    </message>
    <message>
        <source>room on the disk is not known</source>
        <translation>der Platz auf dem Datenträger ist nicht bekannt</translation>
    </message>
    <message>
        <source>room on the disk: %1 bytes</source>
        <translation>Platz auf dem Datenträger: %1 Bytes</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>Prozess %1</translation>
    </message>
    <message>
        <source>runtime not known</source>
        <translation>Laufzeitumgebung nicht bekannt</translation>
    </message>
    <message>
        <source>%1 slots</source>
        <translation>%1 Slots</translation>
    </message>
    <message>
        <source>the server was seen</source>
        <translation>der Server wurde gesehen</translation>
    </message>
    <message>
        <source>nobody listens</source>
        <translation>niemand hört zu</translation>
    </message>
    <message>
        <source>the server does not answer</source>
        <translation>der Server antwortet nicht</translation>
    </message>
    <message>
        <source>another configuration</source>
        <translation>eine andere Konfiguration</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>fortgesetzt</translation>
    </message>
    <message>
        <source>timer</source>
        <translation>Zeitgeber</translation>
    </message>
    <message>
        <source>shutdown</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>%1 #%2 of %3</source>
        <translation>%1 #%2 von %3</translation>
    </message>
    <message>
        <source>%1, file %2</source>
        <translation>%1, Datei %2</translation>
    </message>
    <message>
        <source>lease %1</source>
        <translation>Zuteilung %1</translation>
    </message>
    <message>
        <source>waited %1 ms</source>
        <translation>%1 ms gewartet</translation>
    </message>
    <message>
        <source>granted, request %1</source>
        <translation>gewährt, Anfrage %1</translation>
    </message>
    <message>
        <source>refused, request %1: %2</source>
        <translation>abgelehnt, Anfrage %1: %2</translation>
    </message>
    <message>
        <source>answered, request %1</source>
        <translation>beantwortet, Anfrage %1</translation>
    </message>
    <message>
        <source>answered, request %1: %2</source>
        <translation>beantwortet, Anfrage %1: %2</translation>
    </message>
    <message>
        <source>timer at %1</source>
        <translation>Zeitgeber auf %1</translation>
    </message>
    <message>
        <source>database: %1 %2</source>
        <translation>Datenbank: %1 %2</translation>
    </message>
    <message>
        <source>shutdown done</source>
        <translation>Beenden abgeschlossen</translation>
    </message>
    <message>
        <source>--- the coordinator begins here, or its state was written anew</source>
        <translation>--- hier beginnt der Koordinator, oder sein Zustand wurde neu geschrieben</translation>
    </message>
    <message>
        <source>!! the one that wrote the journal decided otherwise here</source>
        <translation>!! der Schreiber des Journals hat hier anders entschieden</translation>
    </message>
    <message>
        <source>Server %1, written by kv-persist %2: %3 events, begun or written anew %4 times, %5 to %6</source>
        <translation>Server %1, geschrieben von kv-persist %2: %3 Ereignisse, %4-mal begonnen oder neu geschrieben, %5 bis %6</translation>
    </message>
    <message>
        <source>Grants: %1</source>
        <translation>Gewährt: %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Saves: %1, %2 failed. Restores: %3, %4 failed. Answered an error: %5. Invariants broken: %6</source>
        <translation>Sicherungen: %1, %2 fehlgeschlagen. Wiederherstellungen: %3, %4 fehlgeschlagen. Mit Fehler beantwortet: %5. Verletzte Invarianten: %6</translation>
    </message>
    <message>
        <source>Every event was decided as it was then.</source>
        <translation>Jedes Ereignis wurde so entschieden wie damals.</translation>
    </message>
    <message>
        <source>%1 events were decided otherwise than then, the first is number %2. This program is kv-persist %3; another one may decide otherwise.</source>
        <translation>%1 Ereignisse wurden anders entschieden als damals, das erste ist Nummer %2. Dieses Programm ist kv-persist %3; ein anderes kann anders entscheiden.</translation>
    </message>
    <message>
        <source>status, doctor and metrics: %1</source>
        <translation>Status, doctor und Zähler: %1</translation>
    </message>
    <message>
        <source>the configuration without comments, keys and passwords</source>
        <translation>die Konfiguration ohne Kommentare, Schlüssel und Passwörter</translation>
    </message>
    <message>
        <source>the configuration: none is in use</source>
        <translation>die Konfiguration: keine wird verwendet</translation>
    </message>
    <message>
        <source>the configuration: %1 cannot be read</source>
        <translation>die Konfiguration: %1 kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>servers, slots, snapshots and totals</source>
        <translation>Server, Slots, Snapshots und Summen</translation>
    </message>
    <message>
        <source>all counters</source>
        <translation>alle Zähler</translation>
    </message>
    <message>
        <source>metrics: %1</source>
        <translation>Zähler: %1</translation>
    </message>
    <message>
        <source>what &quot;kv-persist doctor&quot; found</source>
        <translation>was „kv-persist doctor“ gefunden hat</translation>
    </message>
    <message>
        <source>doctor: %1</source>
        <translation>doctor: %1</translation>
    </message>
    <message>
        <source>journals: there are none in %1</source>
        <translation>Journale: in %1 gibt es keine</translation>
    </message>
    <message>
        <source>%1: it cannot be read, or is no journal</source>
        <translation>%1: nicht lesbar oder kein Journal</translation>
    </message>
    <message>
        <source>what happened, for &quot;kv-persist replay&quot;; the last 5 seconds may be missing</source>
        <translation>was geschah, für „kv-persist replay“; die letzten 5 Sekunden können fehlen</translation>
    </message>
    <message>
        <source>the last events of %1: %2</source>
        <translation>die letzten Ereignisse von %1: %2</translation>
    </message>
    <message>
        <source>its last events in words</source>
        <translation>seine letzten Ereignisse in Worten</translation>
    </message>
    <message>
        <source>of the programs and the system</source>
        <translation>der Programme und des Systems</translation>
    </message>
    <message>
        <source>A fault report of kv-persist. No prompt, no answer and no label of a conversation is in it; sessions are hashes.</source>
        <translation>Ein Fehlerbericht von kv-persist. Er enthält keinen Prompt, keine Antwort und keine Bezeichnung eines Gesprächs; Sitzungen sind Hashes.</translation>
    </message>
    <message>
        <source>missing: %1</source>
        <translation>fehlt: %1</translation>
    </message>
    <message>
        <source>this list</source>
        <translation>diese Liste</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>%1 kann nicht geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>The report is %1. In it:</source>
        <translation>Der Bericht ist %1. Darin:</translation>
    </message>
    <message>
        <source>  Missing: </source>
        <translation>  Es fehlt: </translation>
    </message>
    <message>
        <source>No prompt, no answer and no label of a conversation is in it; sessions are hashes, keys and passwords are left out. It does name your models, servers and their addresses: look through it before you show it to others.</source>
        <translation>Er enthält keinen Prompt, keine Antwort und keine Bezeichnung eines Gesprächs; Sitzungen sind Hashes, Schlüssel und Passwörter sind weggelassen. Er nennt aber Modelle, Server und deren Adressen: Bitte vor dem Weitergeben durchsehen.</translation>
    </message>
    <message>
        <source>To attach it to an issue, pack it: tar -czf %1.tar.gz %1</source>
        <translation>Zum Anhängen an einen Fehlerbericht packen: tar -czf %1.tar.gz %1</translation>
    </message>
    <message>
        <source>%1 exists already. Name another place with -o; nothing was written.</source>
        <translation>%1 ist schon vorhanden. Mit -o einen anderen Ort nennen; nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made. Name another place with -o.</source>
        <translation>Der Ordner %1 kann nicht angelegt werden. Mit -o einen anderen Ort nennen.</translation>
    </message>
    <message>
        <source>The report cannot be packed with tar (%1). Name a folder instead: -o FOLDER.</source>
        <translation>Der Bericht kann nicht mit tar gepackt werden (%1). Stattdessen einen Ordner nennen: -o ORDNER.</translation>
    </message>
    <message>
        <source>1 snapshot</source>
        <translation>1 Snapshot</translation>
    </message>
    <message>
        <source>%1 snapshots</source>
        <translation>%1 Snapshots</translation>
    </message>
    <message>
        <source>purge asks before it deletes, and nobody can answer here. Add --yes if you mean it.</source>
        <translation>purge fragt vor dem Löschen nach, und hier kann niemand antworten. Wenn es so gewollt ist, --yes hinzufügen.</translation>
    </message>
    <message>
        <source>Delete %1 (%2) of %3 %4?</source>
        <translation>%1 (%2) von %3 %4 löschen?</translation>
    </message>
    <message>
        <source>Only speed is lost: the conversation stays, its next request processes the prompt anew.</source>
        <translation>Verloren geht nur Zeit: Das Gespräch bleibt, seine nächste Anfrage verarbeitet den Prompt neu.</translation>
    </message>
    <message>
        <source>Type y to delete: </source>
        <translation>Zum Löschen j eingeben: </translation>
    </message>
    <message>
        <source>y</source>
        <translation>j</translation>
    </message>
    <message>
        <source>Nothing was deleted.</source>
        <translation>Nichts wurde gelöscht.</translation>
    </message>
    <message>
        <source>Pinned %1.</source>
        <translation>Angeheftet: %1.</translation>
    </message>
    <message>
        <source>Unpinned %1.</source>
        <translation>Nicht mehr angeheftet: %1.</translation>
    </message>
    <message>
        <source>age: not used for maxAgeDays</source>
        <translation>Alter: seit maxAgeDays nicht verwendet</translation>
    </message>
    <message>
        <source>count: more sessions than maxSessions</source>
        <translation>Anzahl: mehr Sitzungen als maxSessions</translation>
    </message>
    <message>
        <source>size: more than maxTotalBytes</source>
        <translation>Größe: mehr als maxTotalBytes</translation>
    </message>
    <message>
        <source>free-space: less free than minFreeBytes</source>
        <translation>Freier Platz: weniger als minFreeBytes</translation>
    </message>
    <message>
        <source>Nothing was written: %1.</source>
        <translation>Nichts wurde geschrieben: %1.</translation>
    </message>
    <message>
        <source>Saved %1 tokens, %2, in %3.</source>
        <translation>%1 Token gesichert, %2, in %3.</translation>
    </message>
    <message>
        <source>Restored %1 tokens, %2, into slot %3 in %4.</source>
        <translation>%1 Token, %2, in Slot %3 wiederhergestellt, in %4.</translation>
    </message>
    <message>
        <source>%1 will not be used any more.</source>
        <translation>Nicht mehr verwendet: %1.</translation>
    </message>
    <message>
        <source>Deleted %1.</source>
        <translation>Gelöscht: %1.</translation>
    </message>
    <message>
        <source>The server keeps the files; their content is overwritten when a slot is idle.</source>
        <translation>Der Server behält die Dateien; ihr Inhalt wird überschrieben, wenn ein Slot frei ist.</translation>
    </message>
    <message>
        <source>Nothing was unsaved.</source>
        <translation>Nichts war ungesichert.</translation>
    </message>
    <message>
        <source>Slots saved: %1.</source>
        <translation>Gesicherte Slots: %1.</translation>
    </message>
    <message>
        <source>SERVER</source>
        <translation>SERVER</translation>
    </message>
    <message>
        <source>WHY</source>
        <translation>GRUND</translation>
    </message>
    <message>
        <source>Nothing is to be removed.</source>
        <translation>Nichts ist zu entfernen.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Would remove %1.</source>
        <translation>Würde entfernen: %1.</translation>
    </message>
    <message>
        <source>Removed %1.</source>
        <translation>Entfernt: %1.</translation>
    </message>
    <message>
        <source>paused until resumed</source>
        <translation>pausiert bis zum Fortsetzen</translation>
    </message>
    <message>
        <source>paused until %1</source>
        <translation>pausiert bis %1</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>%1 of %2 written today</source>
        <translation>heute %1 von %2 geschrieben</translation>
    </message>
    <message>
        <source>MODEL</source>
        <translation>MODELL</translation>
    </message>
    <message>
        <source>STATE</source>
        <translation>ZUSTAND</translation>
    </message>
    <message>
        <source>CONTEXT</source>
        <translation>KONTEXT</translation>
    </message>
    <message>
        <source>LAST USED</source>
        <translation>ZULETZT</translation>
    </message>
    <message>
        <source>RUNNING</source>
        <translation>LÄUFT</translation>
    </message>
    <message>
        <source>%1, began %2</source>
        <translation>%1, begann %2</translation>
    </message>
    <message>
        <source>Advice:</source>
        <translation>Hinweis:</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>generation</source>
        <translation>Erzeugung</translation>
    </message>
    <message>
        <source>save</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>reuse</source>
        <translation>Wiederverwendung</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>Datenträger</translation>
    </message>
    <message>
        <source>%1 requests wait</source>
        <translation>%1 Anfragen warten</translation>
    </message>
    <message>
        <source>switched off in the configuration</source>
        <translation>in der Konfiguration abgeschaltet</translation>
    </message>
    <message>
        <source>process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>started</source>
        <translation>gestartet</translation>
    </message>
    <message>
        <source>No server is configured and none was found. Start llama-server, or see: kv-persist config default</source>
        <translation>Kein Server ist eingerichtet, und keiner wurde gefunden. Bitte llama-server starten; siehe auch: kv-persist config default</translation>
    </message>
    <message>
        <source>Snapshots: %1</source>
        <translation>Snapshots: %1</translation>
    </message>
    <message>
        <source>valid</source>
        <translation>gültig</translation>
    </message>
    <message>
        <source>suspect</source>
        <translation>zweifelhaft</translation>
    </message>
    <message>
        <source>of another runtime</source>
        <translation>einer anderen Laufzeitumgebung</translation>
    </message>
    <message>
        <source>invalid</source>
        <translation>ungültig</translation>
    </message>
    <message>
        <source>So far: %1 restores (%2 good), %3 saves (%4 failed), %5 cold starts, %6 saved, %7 written today</source>
        <translation>Bisher: %1 Wiederherstellungen (%2 gut), %3 Sicherungen (%4 fehlgeschlagen), %5 Kaltstarts, %6 gespart, heute %7 geschrieben</translation>
    </message>
    <message>
        <source>SAVED</source>
        <translation>GESICHERT</translation>
    </message>
    <message>
        <source>RESTORED</source>
        <translation>WIEDERHERGESTELLT</translation>
    </message>
    <message>
        <source>REUSE</source>
        <translation>WIEDERVERWENDUNG</translation>
    </message>
    <message>
        <source>PINNED</source>
        <translation>ANGEHEFTET</translation>
    </message>
    <message>
        <source>REASON</source>
        <translation>GRUND</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>No slots are known. &quot;kv-persist status&quot; says why.</source>
        <translation>Keine Slots sind bekannt. „kv-persist status“ sagt, warum.</translation>
    </message>
    <message>
        <source>There are no snapshots yet. They come with the first session that is saved.</source>
        <translation>Es gibt noch keine Snapshots. Sie kommen mit der ersten gesicherten Sitzung.</translation>
    </message>
    <message>
        <source>No snapshot fits the filter.</source>
        <translation>Kein Snapshot passt zum Filter.</translation>
    </message>
    <message>
        <source>%1 of %2; see --limit and --offset</source>
        <translation>%1 von %2; siehe --limit und --offset</translation>
    </message>
    <message>
        <source>State: %1</source>
        <translation>Zustand: %1</translation>
    </message>
    <message>
        <source>Hash:  %1</source>
        <translation>Hash:    %1</translation>
    </message>
    <message>
        <source>Slot:  %1 of %2</source>
        <translation>Slot:    %1 von %2</translation>
    </message>
    <message>
        <source>It has no snapshot.</source>
        <translation>Sie hat keinen Snapshot.</translation>
    </message>
    <message>
        <source>Nothing changed.</source>
        <translation>Nichts hat sich geändert.</translation>
    </message>
    <message>
        <source>Changed: %1.</source>
        <translation>Geändert: %1.</translation>
    </message>
    <message>
        <source>Acts only after a restart of the daemon: %1.</source>
        <translation>Wirkt erst nach einem Neustart des Daemons: %1.</translation>
    </message>
    <message>
        <source>%1 is too large to be a configuration.</source>
        <translation>%1 ist zu groß für eine Konfiguration.</translation>
    </message>
    <message>
        <source>--for wants a length such as 90s, 10min or 2h.</source>
        <translation>--for erwartet eine Dauer wie 90s, 10min oder 2h.</translation>
    </message>
    <message>
        <source>Paused%1 until %2. Requests go on without saving and restoring.</source>
        <translation>Pausiert%1 bis %2. Anfragen laufen weiter, ohne Sichern und Wiederherstellen.</translation>
    </message>
    <message>
        <source>&quot;kv-persist resume&quot;</source>
        <translation>„kv-persist resume“</translation>
    </message>
    <message>
        <source>Nothing was paused.</source>
        <translation>Nichts war pausiert.</translation>
    </message>
    <message>
        <source>Resumed: %1.</source>
        <translation>Fortgesetzt: %1.</translation>
    </message>
    <message>
        <source>There is no file %1; the defaults are in force. &quot;kv-persist config default&quot; prints them.</source>
        <translation>Es gibt keine Datei %1; es gelten die Voreinstellungen. „kv-persist config default“ gibt sie aus.</translation>
    </message>
    <message>
        <source>%1 can be used.</source>
        <translation>%1 kann verwendet werden.</translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation>Geschrieben nach %1.</translation>
    </message>
    <message>
        <source>%1 %2 %</source>
        <translation>%1 %2 %</translation>
    </message>
    <message>
        <source>Says which session the proxy would see in HTTP requests (JSON on the standard input), and why; needs no daemon</source>
        <translation>Sagt, welche Sitzung der Proxy in HTTP-Anfragen sähe (JSON auf der Standardeingabe) und warum; braucht keinen Daemon</translation>
    </message>
    <message>
        <source>no inference: passed on as it is</source>
        <translation>keine Inferenz: wird unverändert weitergereicht</translation>
    </message>
    <message>
        <source>auxiliary: gets a slot, but its state is not kept</source>
        <translation>Nebenanfrage: bekommt einen Slot, ihr Zustand wird aber nicht behalten</translation>
    </message>
    <message>
        <source>compaction of the session</source>
        <translation>Verdichtung der Sitzung</translation>
    </message>
    <message>
        <source>the session&apos;s conversation</source>
        <translation>das Gespräch der Sitzung</translation>
    </message>
    <message>
        <source>session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>why</source>
        <translation>warum</translation>
    </message>
    <message>
        <source>request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>fork of</source>
        <translation>Abzweigung von</translation>
    </message>
    <message>
        <source>started by</source>
        <translation>gestartet von</translation>
    </message>
    <message>
        <source>%1 parts, the first %2 of them as in its last one</source>
        <translation>%1 Teile, die ersten %2 davon wie in ihrem letzten</translation>
    </message>
    <message>
        <source>drift</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>The standard input holds no request.</source>
        <translation>Die Standardeingabe enthält keine Anfrage.</translation>
    </message>
    <message>
        <source>A request is a JSON object: method, path, headers and body, or a body alone.</source>
        <translation>Eine Anfrage ist ein JSON-Objekt: method, path, headers und body, oder ein body allein.</translation>
    </message>
    <message>
        <source>also prove it: a short prompt of its own is saved, erased, restored and asked again</source>
        <translation>es auch beweisen: ein eigener kurzer Prompt wird gesichert, gelöscht, wiederhergestellt und noch einmal gefragt</translation>
    </message>
    <message>
        <source>with --verify: across a restart of the server, which you make when it asks</source>
        <translation>mit --verify: über einen Neustart des Servers hinweg, den Sie machen, wenn darum gebeten wird</translation>
    </message>
    <message>
        <source>Example:
  kv-persist doctor --server local --verify

--verify takes a slot of each server that was checked like a request of a client does: what is not saved
there is saved first and brought back afterwards. It takes as long as two short prompts, a second to a minute
or so; a request for that slot waits meanwhile. The result is kept for that build and model.
Exit codes: 0 READY, 5 READY WITH WARNINGS, 4 NOT READY, 1 the daemon said no, 3 no daemon.</source>
        <translation>Beispiel:
  kv-persist doctor --server local --verify

--verify nimmt sich einen Slot jedes geprüften Servers wie die Anfrage eines Clients: was dort nicht gesichert
ist, wird vorher gesichert und danach zurückgeholt. Es dauert so lange wie zwei kurze Prompts, eine Sekunde bis
etwa eine Minute; eine Anfrage an diesen Slot wartet so lange. Das Ergebnis wird für diesen Build und dieses
Modell behalten.
Rückgabewerte: 0 READY, 5 READY WITH WARNINGS, 4 NOT READY, 1 der Daemon lehnte ab, 3 kein Daemon.</translation>
    </message>
    <message>
        <source>Server %1</source>
        <translation>Server %1</translation>
    </message>
    <message>
        <source>verified: what is restored is reused</source>
        <translation>bewiesen: Wiederhergestelltes wird weiterverwendet</translation>
    </message>
    <message>
        <source>verified: what is restored is not reused</source>
        <translation>bewiesen: Wiederhergestelltes wird nicht weiterverwendet</translation>
    </message>
    <message>
        <source>the beginnings that sessions share, instead of the sessions&apos; own</source>
        <translation>die Anfänge, die sich Sitzungen teilen, statt der eigenen der Sitzungen</translation>
    </message>
    <message>
        <source>shared beginnings</source>
        <translation>gemeinsame Anfänge</translation>
    </message>
    <message>
        <source>BASE</source>
        <translation>ANFANG</translation>
    </message>
    <message>
        <source>SHARED</source>
        <translation>GETEILT</translation>
    </message>
    <message>
        <source>PROVIDER</source>
        <translation>ANBIETER</translation>
    </message>
    <message>
        <source>There is no shared beginning yet. The first session of a client that tells one (&quot;base&quot; in the protocol) makes it.</source>
        <translation>Es gibt noch keinen gemeinsamen Anfang. Die erste Sitzung eines Clients, der einen nennt („base“ im Protokoll), erzeugt ihn.</translation>
    </message>
    <message>
        <source>unused: a shared beginning that no session starts from any more</source>
        <translation>unbenutzt: ein gemeinsamer Anfang, mit dem keine Sitzung mehr beginnt</translation>
    </message>
</context>
<context>
    <name>kv::DaemonStarter</name>
    <message>
        <source>The daemon was started but does not answer. Run “%1” in a terminal: it says what is wrong.</source>
        <translation>Der Daemon wurde gestartet, antwortet aber nicht. „%1“ in einem Terminal ausführen: Es sagt, woran es liegt.</translation>
    </message>
    <message>
        <source>The service %1 did not start. “journalctl --user -u %1” shows why.</source>
        <translation>Der Dienst %1 ist nicht gestartet. „journalctl --user -u %1“ zeigt, warum.</translation>
    </message>
    <message>
        <source>The program %1 was not found, neither beside this one nor in PATH. Install kv-persist again.</source>
        <translation>Das Programm %1 wurde nicht gefunden, weder neben diesem noch in PATH. Bitte kv-persist erneut installieren.</translation>
    </message>
    <message>
        <source>%1 could not be started. Is it allowed to be run?</source>
        <translation>%1 konnte nicht gestartet werden. Darf es ausgeführt werden?</translation>
    </message>
</context>
<context>
    <name>kv::DoctorCard</name>
    <message>
        <source>What to do: %1</source>
        <translation>Was zu tun ist: %1</translation>
    </message>
    <message>
        <source>Copy %1</source>
        <translation>%1 kopieren</translation>
    </message>
    <message>
        <source>Puts “%1” on the clipboard.</source>
        <translation>Legt „%1“ in die Zwischenablage.</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>kv::DoctorDialog</name>
    <message>
        <source>The checks run</source>
        <translation>Die Prüfungen laufen</translation>
    </message>
</context>
<context>
    <name>kv::DoctorList</name>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>In general</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Server %1</source>
        <translation>Server %1</translation>
    </message>
</context>
<context>
    <name>kv::DoctorModel</name>
    <message>
        <source>Start llama-server with %1.</source>
        <translation>llama-server mit %1 starten.</translation>
    </message>
    <message>
        <source>Look at the setting %1.</source>
        <translation>Die Einstellung %1 ansehen.</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>Bestanden</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>[%1] %2: %3</source>
        <translation>[%1] %2: %3</translation>
    </message>
    <message>
        <source>[%1] %2, %3: %4</source>
        <translation>[%1] %2, %3: %4</translation>
    </message>
</context>
<context>
    <name>kv::DoctorPage</name>
    <message>
        <source>C&amp;heck</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>Which server is looked at. Nothing on it is changed.</source>
        <translation>Welcher Server geprüft wird. An ihm wird nichts geändert.</translation>
    </message>
    <message>
        <source>&amp;Run the checks</source>
        <translation>Prüfun&amp;gen starten</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>Abbrec&amp;hen</translation>
    </message>
    <message>
        <source>Ends the checks; what was found so far stays.</source>
        <translation>Beendet die Prüfungen; was bis dahin gefunden wurde, bleibt.</translation>
    </message>
    <message>
        <source>Copy as &amp;text</source>
        <translation>Als &amp;Text kopieren</translation>
    </message>
    <message>
        <source>Puts all that was found on the clipboard, to ask somebody about it.</source>
        <translation>Legt alle Befunde in die Zwischenablage, etwa um jemanden danach zu fragen.</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>Ad&amp;resse</translation>
    </message>
    <message>
        <source>API &amp;key</source>
        <translation>API-Sch&amp;lüssel</translation>
    </message>
    <message>
        <source>only if the server wants one</source>
        <translation>nur wenn der Server einen verlangt</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>The checks run</source>
        <translation>Die Prüfungen laufen</translation>
    </message>
    <message>
        <source>All configured servers</source>
        <translation>Alle eingerichteten Server</translation>
    </message>
    <message>
        <source>Another address…</source>
        <translation>Andere Adresse…</translation>
    </message>
    <message>
        <source>&amp;Doctor</source>
        <translation>&amp;Diagnose</translation>
    </message>
</context>
<context>
    <name>kv::DoctorPresenter</name>
    <message>
        <source>The doctor looks at a server without changing anything, and says what to do.</source>
        <translation>Die Diagnose prüft einen Server, ohne etwas zu ändern, und sagt, was zu tun ist.</translation>
    </message>
    <message numerus="yes">
        <source>Checking… %n check(s) done</source>
        <translation>
            <numerusform>Es wird geprüft… %n Prüfung fertig</numerusform>
            <numerusform>Es wird geprüft… %n Prüfungen fertig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ready. All %n check(s) passed.</source>
        <translation>
            <numerusform>Bereit. %n Prüfung bestanden.</numerusform>
            <numerusform>Bereit. Alle %n Prüfungen bestanden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ready, with %n warning(s).</source>
        <translation>
            <numerusform>Bereit, mit %n Warnung.</numerusform>
            <numerusform>Bereit, mit %n Warnungen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not ready: %n check(s) failed.</source>
        <translation>
            <numerusform>Nicht bereit: %n Prüfung fehlgeschlagen.</numerusform>
            <numerusform>Nicht bereit: %n Prüfungen fehlgeschlagen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped before the end.</source>
        <translation>Vorzeitig abgebrochen.</translation>
    </message>
    <message>
        <source>The daemon does not answer. Start it, then run the doctor again.</source>
        <translation>Der Daemon antwortet nicht. Bitte starten und die Diagnose dann wiederholen.</translation>
    </message>
</context>
<context>
    <name>kv::EventFilter</name>
    <message>
        <source>All events</source>
        <translation>Alle Ereignisse</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>Slots</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Sitzungen</translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation>Snapshots</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
</context>
<context>
    <name>kv::EventsModel</name>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>, </translation>
    </message>
</context>
<context>
    <name>kv::FirstStartDialog</name>
    <message>
        <source>Set up kv-persist</source>
        <translation>kv-persist einrichten</translation>
    </message>
    <message>
        <source>Which server?</source>
        <translation>Welcher Server?</translation>
    </message>
    <message>
        <source>Your sessions are kept warm on a llama-server. It is only looked at here, nothing on it is changed.</source>
        <translation>Sitzungen werden auf einem llama-server warmgehalten. Er wird hier nur geprüft, nichts an ihm wird geändert.</translation>
    </message>
    <message>
        <source>Looking for servers</source>
        <translation>Server werden gesucht</translation>
    </message>
    <message>
        <source>Servers found</source>
        <translation>Gefundene Server</translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation>&amp;Erneut suchen</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>&amp;Adresse</translation>
    </message>
    <message>
        <source>API &amp;key</source>
        <translation>API-Sch&amp;lüssel</translation>
    </message>
    <message>
        <source>only if the server wants one</source>
        <translation>nur wenn der Server einen verlangt</translation>
    </message>
    <message>
        <source>Is it ready?</source>
        <translation>Ist er bereit?</translation>
    </message>
    <message>
        <source>The doctor looks whether the state of its slots can be saved.</source>
        <translation>Die Diagnose prüft, ob sich der Zustand seiner Slots sichern lässt.</translation>
    </message>
    <message>
        <source>The checks run</source>
        <translation>Die Prüfungen laufen</translation>
    </message>
    <message>
        <source>Check a&amp;gain</source>
        <translation>Er&amp;neut prüfen</translation>
    </message>
    <message>
        <source>After you started the server anew.</source>
        <translation>Nach einem Neustart des Servers.</translation>
    </message>
    <message>
        <source>What is it called?</source>
        <translation>Wie heißt er?</translation>
    </message>
    <message>
        <source>The configuration names the server, and what your harness calls it.</source>
        <translation>Die Konfiguration nennt den Server und wie das Harness ihn nennt.</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>&amp;Server</translation>
    </message>
    <message>
        <source>Letters, digits, “-”, “_” and “.”; shown in all lists.</source>
        <translation>Buchstaben, Ziffern, „-“, „_“ und „.“; erscheint in allen Listen.</translation>
    </message>
    <message>
        <source>&amp;Provider</source>
        <translation>A&amp;nbieter</translation>
    </message>
    <message>
        <source>As your harness calls the endpoint; “*” is every name.</source>
        <translation>Wie das Harness den Endpunkt nennt; „*“ ist jeder Name.</translation>
    </message>
    <message>
        <source>The provider is the name under which your harness calls this endpoint, such as “llamacpp”. Only this provider is kept warm. With “*” every provider goes to this server.</source>
        <translation>Der Anbieter ist der Name, unter dem das Harness diesen Endpunkt kennt, etwa „llamacpp“. Nur dieser Anbieter wird warmgehalten. Mit „*“ gehen alle Anbieter zu diesem Server.</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>From now on sessions come back in moments instead of minutes.</source>
        <translation>Ab jetzt sind Sitzungen in Augenblicken wieder da statt in Minuten.</translation>
    </message>
    <message>
        <source>&amp;Start with the session, in the tray</source>
        <translation>Bei der An&amp;meldung starten, im Systemabschnitt</translation>
    </message>
    <message>
        <source>DeepSeek Harness (dsh)</source>
        <translation>DeepSeek Harness (dsh)</translation>
    </message>
    <message>
        <source>A plugin tells kv-persist when a model call begins and ends. Add it to each profile that you use, then start dsh anew:</source>
        <translation>Ein Plugin meldet kv-persist Beginn und Ende jedes Modellaufrufs. Jedem verwendeten Profil hinzufügen, dann dsh neu starten:</translation>
    </message>
    <message>
        <source>Command that adds the plugin</source>
        <translation>Befehl, der das Plugin hinzufügt</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Other programs are told how in the protocol page of kv-persist.</source>
        <translation>Wie andere Programme angebunden werden, steht in der Protokollbeschreibung von kv-persist.</translation>
    </message>
    <message>
        <source>&amp;Write the configuration</source>
        <translation>Konfiguration s&amp;chreiben</translation>
    </message>
    <message>
        <source>%1 You can go on and put it right later.</source>
        <translation>%1 Es kann trotzdem weitergehen und später behoben werden.</translation>
    </message>
</context>
<context>
    <name>kv::FirstStartPresenter</name>
    <message numerus="yes">
        <source>%n slot(s)</source>
        <translation>
            <numerusform>%n Slot</numerusform>
            <numerusform>%n Slots</numerusform>
        </translation>
    </message>
    <message>
        <source>missing: %1</source>
        <translation>fehlt: %1</translation>
    </message>
    <message>
        <source>Looking for servers on this machine…</source>
        <translation>Auf diesem Rechner werden Server gesucht…</translation>
    </message>
    <message>
        <source>No llama-server was found on the usual ports of this machine. Start one and look again, or type its address.</source>
        <translation>Kein llama-server wurde an den üblichen Ports dieses Rechners gefunden. Bitte einen starten und erneut suchen oder seine Adresse eingeben.</translation>
    </message>
    <message numerus="yes">
        <source>%n server(s) found. Choose one, or type an address.</source>
        <translation>
            <numerusform>%n Server gefunden. Bitte auswählen oder eine Adresse eingeben.</numerusform>
            <numerusform>%n Server gefunden. Bitte einen auswählen oder eine Adresse eingeben.</numerusform>
        </translation>
    </message>
    <message>
        <source>Writing the configuration…</source>
        <translation>Die Konfiguration wird geschrieben…</translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation>Geschrieben nach %1.</translation>
    </message>
</context>
<context>
    <name>kv::HumanTime</name>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 d %2 h</translation>
    </message>
    <message>
        <source>0 ms</source>
        <translation>0 ms</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message>
        <source>%1 s ago</source>
        <translation>vor %1 s</translation>
    </message>
    <message>
        <source>%1 min ago</source>
        <translation>vor %1 min</translation>
    </message>
    <message>
        <source>%1 h ago</source>
        <translation>vor %1 h</translation>
    </message>
    <message>
        <source>%1 d ago</source>
        <translation>vor %1 d</translation>
    </message>
</context>
<context>
    <name>kv::LocaleText</name>
    <message>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message>
        <source>%1 s ago</source>
        <translation>vor %1 s</translation>
    </message>
    <message>
        <source>%1 min ago</source>
        <translation>vor %1 min</translation>
    </message>
    <message>
        <source>%1 h ago</source>
        <translation>vor %1 h</translation>
    </message>
    <message numerus="yes">
        <source>%n day(s) ago</source>
        <translation>
            <numerusform>vor %n Tag</numerusform>
            <numerusform>vor %n Tagen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <comment>tokens per second</comment>
        <translation>%1 Tok/s</translation>
    </message>
    <message>
        <source>%1/s</source>
        <comment>bytes per second</comment>
        <translation>%1/s</translation>
    </message>
</context>
<context>
    <name>kv::MainWindow</name>
    <message>
        <source>Start &amp;it</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>kv-persist</source>
        <translation>kv-persist</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>The daemon is being started …</source>
        <translation>Der Daemon wird gestartet …</translation>
    </message>
    <message>
        <source>The daemon is away: sessions are neither saved nor restored. %1</source>
        <translation>Der Daemon ist nicht erreichbar: Sitzungen werden weder gesichert noch wiederhergestellt. %1</translation>
    </message>
</context>
<context>
    <name>kv::MiniMonitor</name>
    <message>
        <source>Keep on &amp;top</source>
        <translation>Im &amp;Vordergrund halten</translation>
    </message>
    <message>
        <source>kv-persist monitor</source>
        <translation>kv-persist-Monitor</translation>
    </message>
    <message>
        <source>warm</source>
        <translation>warm</translation>
    </message>
    <message>
        <source>cold</source>
        <translation>kalt</translation>
    </message>
</context>
<context>
    <name>kv::NotificationPresenter</name>
    <message>
        <source>kv-persist works again</source>
        <translation>kv-persist funktioniert wieder</translation>
    </message>
    <message>
        <source>Sessions are saved and restored as before.</source>
        <translation>Sitzungen werden wie zuvor gesichert und wiederhergestellt.</translation>
    </message>
    <message>
        <source>One trouble is over. Another is left: see the overview.</source>
        <translation>Eine Störung ist vorbei, eine andere besteht noch: siehe Übersicht.</translation>
    </message>
    <message>
        <source>Persistence rests for %1</source>
        <translation>Persistenz ruht für %1</translation>
    </message>
    <message>
        <source>Too many calls failed. It is tried again by itself.</source>
        <translation>Zu viele Aufrufe sind fehlgeschlagen. Es wird von selbst erneut versucht.</translation>
    </message>
    <message>
        <source>The server cannot save as it was started.</source>
        <translation>So wie der Server gestartet wurde, kann er nicht sichern.</translation>
    </message>
    <message>
        <source>The model %1 does not reuse restored sessions with this build of llama-server. A newer one may help.</source>
        <translation>Das Modell %1 verwendet wiederhergestellte Sitzungen mit diesem Build von llama-server nicht wieder. Ein neuerer hilft vielleicht.</translation>
    </message>
    <message>
        <source>The disk is nearly full</source>
        <translation>Der Datenträger ist fast voll</translation>
    </message>
    <message>
        <source>%1 are free where %2 keeps its snapshots, and %3 shall stay free: soon nothing is saved.</source>
        <translation>Wo %2 die Snapshots ablegt, sind %1 frei, und %3 sollen frei bleiben: Bald wird nichts mehr gesichert.</translation>
    </message>
    <message>
        <source>Storage is nearly full</source>
        <translation>Der Speicherplatz ist fast voll</translation>
    </message>
    <message>
        <source>Snapshots take %1 of the %2 they may. The oldest that are not pinned make room for new ones.</source>
        <translation>Snapshots belegen %1 von erlaubten %2. Die ältesten nicht angehefteten machen Platz für neue.</translation>
    </message>
</context>
<context>
    <name>kv::OverviewPage</name>
    <message>
        <source>&amp;Mini monitor</source>
        <translation>&amp;Mini-Monitor</translation>
    </message>
    <message>
        <source>Shows the same in a small window that can stay on top</source>
        <translation>Zeigt dasselbe in einem kleinen Fenster, das im Vordergrund bleiben kann</translation>
    </message>
    <message>
        <source>Needs your attention</source>
        <translation>Braucht Aufmerksamkeit</translation>
    </message>
    <message>
        <source>%1 needs your attention</source>
        <translation>%1 braucht Aufmerksamkeit</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copies “%1”</source>
        <translation>Kopiert „%1“</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <comment>name, value and detail of a number</comment>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation>Ü&amp;bersicht</translation>
    </message>
</context>
<context>
    <name>kv::OverviewPresenter</name>
    <message>
        <source>The daemon is away. Requests go on without it, only colder.</source>
        <translation>Der Daemon ist nicht erreichbar. Anfragen laufen ohne ihn weiter, nur kälter.</translation>
    </message>
    <message>
        <source>Looking for the daemon …</source>
        <translation>Der Daemon wird gesucht …</translation>
    </message>
    <message>
        <source>No llama-server was found. Start one with --slot-save-path FOLDER, or name it in the settings.</source>
        <translation>Kein llama-server wurde gefunden. Bitte einen mit --slot-save-path ORDNER starten oder in den Einstellungen angeben.</translation>
    </message>
    <message>
        <source>%1 left</source>
        <comment>tokens of context</comment>
        <translation>%1 übrig</translation>
    </message>
    <message>
        <source>last used %1</source>
        <translation>zuletzt %1</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) wait</source>
        <translation>
            <numerusform>%n Anfrage wartet</numerusform>
            <numerusform>%n Anfragen warten</numerusform>
        </translation>
    </message>
    <message>
        <source>–</source>
        <comment>no value yet</comment>
        <translation>–</translation>
    </message>
    <message>
        <source>Time saved today</source>
        <translation>Heute gesparte Zeit</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>%1 insgesamt</translation>
    </message>
    <message>
        <source>Processing of prompts that was not needed, less the time that restoring took.</source>
        <translation>Unnötig gewordenes Verarbeiten von Prompts, abzüglich der Zeit für das Wiederherstellen.</translation>
    </message>
    <message>
        <source>Restored well</source>
        <translation>Gut wiederhergestellt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Of the sessions with a snapshot that came back, how many were restored well.</source>
        <translation>Wie viele der zurückgekehrten Sitzungen mit Snapshot gut wiederhergestellt wurden.</translation>
    </message>
    <message>
        <source>Reused</source>
        <translation>Wiederverwendet</translation>
    </message>
    <message>
        <source>Of the restores that a request followed, how many the server reused whole.</source>
        <translation>Wie viele der Wiederherstellungen, denen eine Anfrage folgte, der Server ganz wiederverwendet hat.</translation>
    </message>
    <message>
        <source>Cold starts</source>
        <translation>Kaltstarts</translation>
    </message>
    <message numerus="yes">
        <source>of %n request(s)</source>
        <translation>
            <numerusform>von %n Anfrage</numerusform>
            <numerusform>von %n Anfragen</numerusform>
        </translation>
    </message>
    <message>
        <source>Requests whose whole prompt had to be processed.</source>
        <translation>Anfragen, deren ganzer Prompt verarbeitet werden musste.</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Speicherplatz</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n Sitzung</numerusform>
            <numerusform>%n Sitzungen</numerusform>
        </translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>, </translation>
    </message>
    <message>
        <source>Size of all snapshots, against retention.maxTotalBytes. The forecast takes all that was written today as new, so there is room for at least that long.</source>
        <translation>Größe aller Snapshots, gemessen an retention.maxTotalBytes. Die Vorhersage nimmt alles heute Geschriebene als neu an; der Platz reicht also mindestens so lange.</translation>
    </message>
    <message>
        <source>full: the oldest make room</source>
        <translation>voll: die ältesten machen Platz</translation>
    </message>
    <message>
        <source>room for more than a year</source>
        <translation>Platz für mehr als ein Jahr</translation>
    </message>
    <message>
        <source>full within a day</source>
        <translation>innerhalb eines Tages voll</translation>
    </message>
    <message numerus="yes">
        <source>room for %n day(s)</source>
        <translation>
            <numerusform>Platz für %n Tag</numerusform>
            <numerusform>Platz für %n Tage</numerusform>
        </translation>
    </message>
    <message>
        <source>none yet</source>
        <comment>time</comment>
        <translation>noch nichts</translation>
    </message>
    <message>
        <source>No time saved yet</source>
        <translation>Noch keine Zeit gespart</translation>
    </message>
    <message>
        <source>Saved %1 today, %2 in all</source>
        <translation>Gespart: heute %1, insgesamt %2</translation>
    </message>
    <message>
        <source>Saved %1 in all</source>
        <translation>Gespart: insgesamt %1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>what runs, for how long</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, prompt changed</source>
        <comment>state of a slot</comment>
        <translation>%1, Prompt geändert</translation>
    </message>
    <message>
        <source>The session&apos;s last prompt does not begin with the one before any more (%1), so that everything behind that place is processed anew.</source>
        <translation>Der letzte Prompt der Sitzung beginnt nicht mehr mit dem davor (%1). Alles hinter dieser Stelle wird neu verarbeitet.</translation>
    </message>
</context>
<context>
    <name>kv::OverviewProgressBar</name>
    <message>
        <source>Progress of %1</source>
        <translation>Fortschritt von %1</translation>
    </message>
</context>
<context>
    <name>kv::OverviewServerCard</name>
    <message>
        <source>Server %1: %2</source>
        <translation>Server %1: %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>owner (model)</comment>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>kv::OverviewText</name>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>The last calls failed</source>
        <translation>Die letzten Aufrufe sind fehlgeschlagen</translation>
    </message>
    <message>
        <source>Resting after too many failures</source>
        <translation>Ruht nach zu vielen Fehlschlägen</translation>
    </message>
    <message>
        <source>Trying again after failures</source>
        <translation>Neuer Versuch nach Fehlschlägen</translation>
    </message>
    <message>
        <source>Does not answer</source>
        <translation>Antwortet nicht</translation>
    </message>
    <message>
        <source>Cannot save as it was started</source>
        <translation>So gestartet kann er nicht sichern</translation>
    </message>
    <message>
        <source>Sleeping: its model is unloaded</source>
        <translation>Schläft: sein Modell ist entladen</translation>
    </message>
    <message>
        <source>State not known</source>
        <translation>Zustand nicht bekannt</translation>
    </message>
    <message>
        <source>Does not reuse restored sessions</source>
        <translation>Verwendet wiederhergestellte Sitzungen nicht wieder</translation>
    </message>
    <message>
        <source>Paused until resumed</source>
        <translation>Pausiert bis zum Fortsetzen</translation>
    </message>
    <message>
        <source>Paused %1</source>
        <comment>until a time</comment>
        <translation>Pausiert %1</translation>
    </message>
    <message>
        <source>content not known</source>
        <translation>Inhalt nicht bekannt</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>being restored</source>
        <translation>wird wiederhergestellt</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gesichert</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>antwortet</translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation>noch nicht gesichert</translation>
    </message>
    <message>
        <source>being saved</source>
        <translation>wird gesichert</translation>
    </message>
    <message>
        <source>out of use after an error</source>
        <translation>nach einem Fehler außer Betrieb</translation>
    </message>
    <message>
        <source>late: an operation may still run</source>
        <translation>verspätet: ein Vorgang läuft womöglich noch</translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>Antwortet</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>Wird gesichert</translation>
    </message>
    <message>
        <source>Restoring</source>
        <translation>Wird wiederhergestellt</translation>
    </message>
    <message>
        <source>Emptying</source>
        <translation>Wird geleert</translation>
    </message>
    <message>
        <source>Looking</source>
        <translation>Wird geprüft</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Beschäftigt</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 von %2 Token</translation>
    </message>
    <message>
        <source>prefill %1, generating %2</source>
        <translation>Prefill %1, Erzeugung %2</translation>
    </message>
    <message>
        <source>prefill %1</source>
        <translation>Prefill %1</translation>
    </message>
    <message>
        <source>generating %1</source>
        <translation>Erzeugung %1</translation>
    </message>
    <message>
        <source>Nobody</source>
        <translation>Niemand</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>bis %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>percent, size</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Checking its file: %1</source>
        <translation>Datei wird geprüft: %1</translation>
    </message>
    <message>
        <source>Working on its file: %1</source>
        <translation>Datei wird bearbeitet: %1</translation>
    </message>
    <message>
        <source>Checksum of %1: %2</source>
        <comment>session, how far</comment>
        <translation>Prüfsumme von %1: %2</translation>
    </message>
    <message>
        <source>Working on the file of %1: %2</source>
        <comment>session, how far</comment>
        <translation>Datei von %1 wird bearbeitet: %2</translation>
    </message>
</context>
<context>
    <name>kv::Paths</name>
    <message>
        <source>&apos;%1&apos; is not a folder. Move it away or choose another path.</source>
        <translation>„%1“ ist kein Ordner. Bitte verschieben oder einen anderen Pfad wählen.</translation>
    </message>
    <message>
        <source>The folder &apos;%1&apos; belongs to another user and cannot be trusted. Remove it or choose another path.</source>
        <translation>Der Ordner „%1“ gehört einem anderen Benutzer und ist nicht vertrauenswürdig. Bitte entfernen oder einen anderen Pfad wählen.</translation>
    </message>
    <message>
        <source>The rights of the folder &apos;%1&apos; cannot be set to 0700. Set them by hand.</source>
        <translation>Die Rechte des Ordners „%1“ können nicht auf 0700 gesetzt werden. Bitte von Hand setzen.</translation>
    </message>
    <message>
        <source>The environment variable &apos;%1&apos;, named in the path &apos;%2&apos;, is not set. Set it or write the path out.</source>
        <translation>Die Umgebungsvariable „%1“ im Pfad „%2“ ist nicht gesetzt. Bitte setzen oder den Pfad ausschreiben.</translation>
    </message>
    <message>
        <source>The path is empty.</source>
        <translation>Der Pfad ist leer.</translation>
    </message>
    <message>
        <source>The path contains a NUL character.</source>
        <translation>Der Pfad enthält ein NUL-Zeichen.</translation>
    </message>
    <message>
        <source>The path &apos;%1&apos; names the home folder of another user, which is not supported. Write the path out.</source>
        <translation>Der Pfad „%1“ nennt den persönlichen Ordner eines anderen Benutzers; das wird nicht unterstützt. Bitte den Pfad ausschreiben.</translation>
    </message>
    <message>
        <source>The path &apos;%1&apos; has a &apos;${&apos; without a name and a &apos;}&apos;.</source>
        <translation>Im Pfad „%1“ steht ein „${“ ohne Namen und „}“.</translation>
    </message>
    <message>
        <source>The folder &apos;%1&apos; cannot be made. Check the rights and the free space of &apos;%2&apos;.</source>
        <translation>Der Ordner „%1“ kann nicht angelegt werden. Bitte die Rechte und den freien Platz von „%2“ prüfen.</translation>
    </message>
</context>
<context>
    <name>kv::SampleDaemon</name>
    <message>
        <source>This is only a sample.</source>
        <translation>Dies ist nur ein Beispiel.</translation>
    </message>
</context>
<context>
    <name>kv::SessionDetails</name>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>Snapshot of %1 on %2</source>
        <translation>Snapshot von %1 auf %2</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gesichert</translation>
    </message>
    <message>
        <source>Last restored</source>
        <translation>Zuletzt wiederhergestellt</translation>
    </message>
    <message>
        <source>Reuse</source>
        <translation>Wiederverwendung</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>File and compatibility</source>
        <translation>Datei und Kompatibilität</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Anbieter</translation>
    </message>
    <message>
        <source>Compatibility</source>
        <translation>Kompatibilität</translation>
    </message>
    <message>
        <source>Model fingerprint</source>
        <translation>Fingerabdruck des Modells</translation>
    </message>
    <message>
        <source>Runtime fingerprint</source>
        <translation>Fingerabdruck der Laufzeitumgebung</translation>
    </message>
    <message>
        <source>Runtime it was computed under</source>
        <translation>Laufzeitumgebung, in der er berechnet wurde</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Hash of its id</source>
        <translation>Hash ihrer Kennung</translation>
    </message>
    <message>
        <source>Where it is</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>%1, slot %2</source>
        <translation>%1, Slot %2</translation>
    </message>
    <message>
        <source>First saved</source>
        <translation>Zuerst gesichert</translation>
    </message>
</context>
<context>
    <name>kv::SessionDetailsDialog</name>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Feld</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Last day</source>
        <translation>Letzter Tag</translation>
    </message>
    <message>
        <source>Last week</source>
        <translation>Letzte Woche</translation>
    </message>
    <message>
        <source>C&amp;hart of:</source>
        <translation>&amp;Diagramm:</translation>
    </message>
    <message>
        <source>&amp;Copy all</source>
        <translation>Alles &amp;kopieren</translation>
    </message>
    <message>
        <source>Puts all fields on the clipboard, a line each</source>
        <translation>Legt alle Felder in die Zwischenablage, je eines pro Zeile</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>kv::SessionExport</name>
    <message>
        <source>%1 cannot be written: %2. Choose another folder.</source>
        <translation>%1 kann nicht geschrieben werden: %2. Bitte einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>The export was cancelled; nothing was written.</source>
        <translation>Der Export wurde abgebrochen; nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>Nothing was exported: %1</source>
        <translation>Nichts wurde exportiert: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) exported to %1.</source>
        <translation>
            <numerusform>%n Zeile nach %1 exportiert.</numerusform>
            <numerusform>%n Zeilen nach %1 exportiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>%1 konnte nicht geschrieben werden: %2.</translation>
    </message>
</context>
<context>
    <name>kv::SessionText</name>
    <message>
        <source>valid</source>
        <translation>gültig</translation>
    </message>
    <message>
        <source>suspect</source>
        <translation>zweifelhaft</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>verborgen</translation>
    </message>
    <message>
        <source>invalid</source>
        <translation>ungültig</translation>
    </message>
    <message>
        <source>reused</source>
        <translation>wiederverwendet</translation>
    </message>
    <message>
        <source>partly</source>
        <translation>teilweise</translation>
    </message>
    <message>
        <source>not reused</source>
        <translation>nicht wiederverwendet</translation>
    </message>
    <message>
        <source>The server runs another model now.</source>
        <translation>Auf dem Server läuft jetzt ein anderes Modell.</translation>
    </message>
    <message>
        <source>The server is of another build now.</source>
        <translation>Auf dem Server läuft jetzt ein anderer Build.</translation>
    </message>
    <message>
        <source>The server&apos;s context is too small for it now.</source>
        <translation>Der Kontext des Servers ist jetzt zu klein dafür.</translation>
    </message>
    <message>
        <source>The server was started with other slots.</source>
        <translation>Der Server wurde mit anderen Slots gestartet.</translation>
    </message>
    <message>
        <source>The server runs with other LoRA adapters now.</source>
        <translation>Der Server läuft jetzt mit anderen LoRA-Adaptern.</translation>
    </message>
    <message>
        <source>The server keeps its cache in another format now.</source>
        <translation>Der Server hält seinen Cache jetzt in einem anderen Format.</translation>
    </message>
    <message>
        <source>The runtime key in the configuration changed.</source>
        <translation>Der Laufzeitschlüssel in der Konfiguration hat sich geändert.</translation>
    </message>
    <message>
        <source>It was written by another version of kv-persist.</source>
        <translation>Er wurde von einer anderen Version von kv-persist geschrieben.</translation>
    </message>
    <message>
        <source>Its record is damaged.</source>
        <translation>Sein Eintrag ist beschädigt.</translation>
    </message>
    <message>
        <source>Its file is gone.</source>
        <translation>Seine Datei ist verschwunden.</translation>
    </message>
    <message>
        <source>Its file has another size than when it was saved.</source>
        <translation>Seine Datei hat eine andere Größe als beim Sichern.</translation>
    </message>
    <message>
        <source>Its file does not begin as a snapshot does.</source>
        <translation>Seine Datei beginnt nicht wie ein Snapshot.</translation>
    </message>
    <message>
        <source>Its file was changed after it was saved.</source>
        <translation>Seine Datei wurde nach dem Sichern geändert.</translation>
    </message>
    <message>
        <source>The machine stopped without warning soon after it was saved.</source>
        <translation>Der Rechner ist bald nach dem Sichern ohne Vorwarnung ausgefallen.</translation>
    </message>
    <message>
        <source>Restoring it failed.</source>
        <translation>Das Wiederherstellen ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>The server died while it was restored.</source>
        <translation>Der Server ist beim Wiederherstellen abgestürzt.</translation>
    </message>
    <message>
        <source>After its last restore the server reused nothing of it.</source>
        <translation>Nach dem letzten Wiederherstellen hat der Server nichts davon wiederverwendet.</translation>
    </message>
    <message>
        <source>It was invalidated by hand.</source>
        <translation>Er wurde von Hand ungültig gemacht.</translation>
    </message>
    <message>
        <source>not known to any server</source>
        <translation>keinem Server bekannt</translation>
    </message>
    <message>
        <source>cold: nothing of it is kept</source>
        <translation>kalt: nichts davon ist aufbewahrt</translation>
    </message>
    <message>
        <source>being restored</source>
        <translation>wird wiederhergestellt</translation>
    </message>
    <message>
        <source>in a slot, saved</source>
        <translation>in einem Slot, gesichert</translation>
    </message>
    <message>
        <source>in a slot, not saved yet</source>
        <translation>in einem Slot, noch nicht gesichert</translation>
    </message>
    <message>
        <source>being saved</source>
        <translation>wird gesichert</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gesichert</translation>
    </message>
    <message>
        <source>its snapshot is invalid</source>
        <translation>ihr Snapshot ist ungültig</translation>
    </message>
    <message>
        <source>Shared beginning, %1 tokens</source>
        <translation>Gemeinsamer Anfang, %1 Token</translation>
    </message>
    <message>
        <source>Shared beginning, not used yet</source>
        <translation>Gemeinsamer Anfang, noch nicht benutzt</translation>
    </message>
</context>
<context>
    <name>kv::SessionsModel</name>
    <message>
        <source>%1, slot %2</source>
        <translation>%1, Slot %2</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gesichert</translation>
    </message>
    <message>
        <source>Restored</source>
        <translation>Wiederhergestellt</translation>
    </message>
    <message>
        <source>Reuse</source>
        <translation>Wiederverwendung</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
</context>
<context>
    <name>kv::SessionsPage</name>
    <message>
        <source>Filter by name, session, model or server</source>
        <translation>Nach Name, Sitzung, Modell oder Server filtern</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Shows only sessions with this text (Ctrl+F)</source>
        <translation>Zeigt nur Sitzungen mit diesem Text (Strg+F)</translation>
    </message>
    <message>
        <source>Sh&amp;ow:</source>
        <translation>An&amp;zeigen:</translation>
    </message>
    <message>
        <source>Shows only snapshots in this state</source>
        <translation>Zeigt nur Snapshots in diesem Zustand</translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation>Snapshots</translation>
    </message>
    <message>
        <source>C&amp;lear the filter</source>
        <translation>Filter &amp;leeren</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>Abb&amp;rechen</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Valid</source>
        <translation>Gültig</translation>
    </message>
    <message>
        <source>Suspect</source>
        <translation>Zweifelhaft</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>Verborgen</translation>
    </message>
    <message>
        <source>Invalid</source>
        <translation>Ungültig</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Sa&amp;ve now</source>
        <translation>&amp;Jetzt sichern</translation>
    </message>
    <message>
        <source>Saves what the session has in its slot</source>
        <translation>Sichert, was die Sitzung in ihrem Slot hat</translation>
    </message>
    <message>
        <source>&amp;Restore now</source>
        <translation>Jetzt &amp;wiederherstellen</translation>
    </message>
    <message>
        <source>Brings the session into a slot before it is needed; waits for a free one</source>
        <translation>Holt die Sitzung in einen Slot zurück, bevor sie gebraucht wird; wartet auf einen freien</translation>
    </message>
    <message>
        <source>&amp;Pin</source>
        <translation>Anhef&amp;ten</translation>
    </message>
    <message>
        <source>Keeps the snapshot whatever its age and size</source>
        <translation>Behält den Snapshot, wie alt und groß er auch ist</translation>
    </message>
    <message>
        <source>&amp;Unpin</source>
        <translation>Anheftun&amp;g lösen</translation>
    </message>
    <message>
        <source>Lets the snapshot go when its time comes</source>
        <translation>Lässt den Snapshot gehen, wenn es so weit ist</translation>
    </message>
    <message>
        <source>&amp;Invalidate</source>
        <translation>&amp;Ungültig machen</translation>
    </message>
    <message>
        <source>The snapshot is not restored any more; the next request starts cold</source>
        <translation>Der Snapshot wird nicht mehr wiederhergestellt; die nächste Anfrage beginnt kalt</translation>
    </message>
    <message>
        <source>&amp;Forget…</source>
        <translation>&amp;Vergessen…</translation>
    </message>
    <message>
        <source>Removes the snapshot and its file; asks first</source>
        <translation>Entfernt den Snapshot und seine Datei, nach Rückfrage</translation>
    </message>
    <message>
        <source>&amp;Details…</source>
        <translation>Detail&amp;s…</translation>
    </message>
    <message>
        <source>All that is known about the session</source>
        <translation>Alles, was über die Sitzung bekannt ist</translation>
    </message>
    <message>
        <source>Cop&amp;y</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copies the selected rows as text</source>
        <translation>Kopiert die ausgewählten Zeilen als Text</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Writes all rows that match to a JSON or CSV file</source>
        <translation>Schreibt alle passenden Zeilen in eine JSON- oder CSV-Datei</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>&amp;Forget</source>
        <translation>&amp;Vergessen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>JSON (*.json);;CSV (*.csv)</source>
        <translation>JSON (*.json);;CSV (*.csv)</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>Wird exportiert…</translation>
    </message>
    <message>
        <source>&amp;Sessions</source>
        <translation>S&amp;itzungen</translation>
    </message>
    <message>
        <source>Shared beginnings</source>
        <translation>Gemeinsame Anfänge</translation>
    </message>
</context>
<context>
    <name>kv::SessionsPresenter</name>
    <message>
        <source>%1: %2</source>
        <comment>a session and what went wrong</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Cancelled; %1 of %2 done.</source>
        <translation>Abgebrochen; %1 von %2 erledigt.</translation>
    </message>
    <message numerus="yes">
        <source>All %n done.</source>
        <translation>
            <numerusform>Alles erledigt (%n).</numerusform>
            <numerusform>Alle %n erledigt.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 done; %3</source>
        <translation>%1 von %2 erledigt; %3</translation>
    </message>
    <message>
        <source>%1 was saved already: nothing changed since.</source>
        <translation>%1 war schon gesichert: Seitdem hat sich nichts geändert.</translation>
    </message>
    <message>
        <source>%1 saved: %2 tokens in %3.</source>
        <translation>%1 gesichert: %2 Token in %3.</translation>
    </message>
    <message>
        <source>%1 restored into slot %2: %3 tokens in %4.</source>
        <translation>%1 in Slot %2 wiederhergestellt: %3 Token in %4.</translation>
    </message>
    <message>
        <source>%1 will not be restored any more; its next request starts cold.</source>
        <translation>%1 wird nicht mehr wiederhergestellt; die nächste Anfrage beginnt kalt.</translation>
    </message>
    <message>
        <source>%1 is kept until it is unpinned.</source>
        <translation>%1 wird behalten, bis die Anheftung gelöst ist.</translation>
    </message>
    <message>
        <source>%1 may be removed again for age or space.</source>
        <translation>%1 darf wieder wegen Alter oder Platz entfernt werden.</translation>
    </message>
    <message>
        <source>%1 forgotten; its file is emptied as soon as a slot is free.</source>
        <translation>%1 ist vergessen; die Datei wird geleert, sobald ein Slot frei ist.</translation>
    </message>
    <message>
        <source>%1 forgotten.</source>
        <translation>%1 ist vergessen.</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>Wird abgebrochen…</translation>
    </message>
    <message>
        <source>Saving %1…</source>
        <translation>%1 wird gesichert…</translation>
    </message>
    <message>
        <source>Restoring %1: waiting for a slot…</source>
        <translation>%1 wird wiederhergestellt: Warten auf einen Slot…</translation>
    </message>
    <message>
        <source>Working on %1…</source>
        <translation>%1 wird bearbeitet…</translation>
    </message>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation>%1 (%2 von %3)</translation>
    </message>
    <message>
        <source>Forget the snapshot of %1?</source>
        <translation>Den Snapshot von %1 vergessen?</translation>
    </message>
    <message numerus="yes">
        <source>Forget %n snapshot(s)?</source>
        <translation>
            <numerusform>%n Snapshot vergessen?</numerusform>
            <numerusform>%n Snapshots vergessen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Only speed is lost: conversations stay as they are, and the server processes %1 tokens anew when they are needed.</source>
        <translation>Verloren geht nur Zeit: Gespräche bleiben, wie sie sind, und der Server verarbeitet %1 Token neu, wenn sie gebraucht werden.</translation>
    </message>
    <message numerus="yes">
        <source>%1 snapshot(s)</source>
        <translation>
            <numerusform>%1 Snapshot</numerusform>
            <numerusform>%1 Snapshots</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 selected</source>
        <translation>, %1 ausgewählt</translation>
    </message>
    <message>
        <source>The daemon does not answer. Its sessions are shown again as soon as it is back.</source>
        <translation>Der Daemon antwortet nicht. Seine Sitzungen erscheinen wieder, sobald er zurück ist.</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
    <message>
        <source>No session is saved yet. Work with a model as usual: the first snapshot appears here a moment after an answer.</source>
        <translation>Noch ist keine Sitzung gesichert. Einfach wie gewohnt mit einem Modell arbeiten: Der erste Snapshot erscheint hier kurz nach einer Antwort.</translation>
    </message>
    <message>
        <source>No session matches the filter.</source>
        <translation>Keine Sitzung passt zum Filter.</translation>
    </message>
    <message>
        <source>, “%1” selected</source>
        <translation>, „%1“ ausgewählt</translation>
    </message>
    <message numerus="yes">
        <source>, %n deselected by the filter</source>
        <translation>
            <numerusform>, %n durch den Filter abgewählt</numerusform>
            <numerusform>, %n durch den Filter abgewählt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 And %n more.</source>
        <comment>sentences about what failed</comment>
        <translation>
            <numerusform>%1 Und %n weitere.</numerusform>
            <numerusform>%1 Und %n weitere.</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading what is selected: %1 of %2 rows…</source>
        <translation>Auswahl wird gelesen: %1 von %2 Zeilen…</translation>
    </message>
</context>
<context>
    <name>kv::SessionsSelection</name>
    <message>
        <source>The list changed while rows of it were being selected. Please select them again.</source>
        <translation>Die Liste änderte sich, während Zeilen daraus ausgewählt wurden. Bitte noch einmal auswählen.</translation>
    </message>
</context>
<context>
    <name>kv::SettingsPage</name>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>The configuration file</source>
        <translation>Die Konfigurationsdatei</translation>
    </message>
    <message>
        <source>Open in &amp;editor</source>
        <translation>Im Editor ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Comments in the file stay, whatever is changed here.</source>
        <translation>Kommentare in der Datei bleiben erhalten, was auch immer hier geändert wird.</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Enter goes to the field.</source>
        <translation>Die Eingabetaste führt zum Feld.</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Re&amp;vert</source>
        <translation>&amp;Zurücksetzen</translation>
    </message>
    <message>
        <source>Drops all that was changed here and not applied.</source>
        <translation>Verwirft alles, was hier geändert und nicht angewendet wurde.</translation>
    </message>
    <message>
        <source>A&amp;pply</source>
        <translation>An&amp;wenden</translation>
    </message>
    <message>
        <source>The daemon checks the changes, writes them to the file and uses them.</source>
        <translation>Der Daemon prüft die Änderungen, schreibt sie in die Datei und verwendet sie.</translation>
    </message>
    <message>
        <source>Ser&amp;vers</source>
        <translation>Ser&amp;ver</translation>
    </message>
    <message>
        <source>Pr&amp;oviders</source>
        <translation>A&amp;nbieter</translation>
    </message>
    <message>
        <source>Savin&amp;g</source>
        <translation>Si&amp;chern</translation>
    </message>
    <message>
        <source>Restorin&amp;g</source>
        <translation>Wiede&amp;rherstellen</translation>
    </message>
    <message>
        <source>Sp&amp;ace</source>
        <translation>&amp;Platz</translation>
    </message>
    <message>
        <source>This pro&amp;gram</source>
        <translation>Dieses Pro&amp;gramm</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>noch nicht bekannt</translation>
    </message>
    <message>
        <source>%1 (will be made)</source>
        <translation>%1 (wird angelegt)</translation>
    </message>
    <message>
        <source>There are changes that are not applied yet.</source>
        <translation>Einige Änderungen sind noch nicht angewendet.</translation>
    </message>
    <message>
        <source>Line %1, %2</source>
        <translation>Zeile %1, %2</translation>
    </message>
    <message>
        <source>The file was changed</source>
        <translation>Die Datei wurde geändert</translation>
    </message>
    <message>
        <source>Somebody else changed the configuration since it was read here.</source>
        <translation>Die Konfiguration wurde anderswo geändert, seit sie hier gelesen wurde.</translation>
    </message>
    <message>
        <source>Your changes can be made in the file as it is now, where they overwrite the same settings and nothing else. Or the file is read anew, and your changes are lost.</source>
        <translation>Die eigenen Änderungen können in der jetzigen Datei vorgenommen werden; sie überschreiben dort dieselben Einstellungen und sonst nichts. Oder die Datei wird neu eingelesen, und die eigenen Änderungen gehen verloren.</translation>
    </message>
    <message>
        <source>Make &amp;my changes there</source>
        <translation>&amp;Meine Änderungen dort vornehmen</translation>
    </message>
    <message>
        <source>&amp;Read the file anew</source>
        <translation>Datei &amp;neu einlesen</translation>
    </message>
    <message>
        <source>Unsaved settings</source>
        <translation>Nicht gespeicherte Einstellungen</translation>
    </message>
    <message>
        <source>Some settings were changed but not applied.</source>
        <translation>Einige Einstellungen wurden geändert, aber nicht angewendet.</translation>
    </message>
    <message>
        <source>Without applying them the changes are lost.</source>
        <translation>Ohne Anwenden gehen die Änderungen verloren.</translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation>An&amp;wenden</translation>
    </message>
    <message>
        <source>&amp;Drop the changes</source>
        <translation>Änderungen &amp;verwerfen</translation>
    </message>
    <message>
        <source>Se&amp;ttings</source>
        <translation>&amp;Einstellungen</translation>
    </message>
</context>
<context>
    <name>kv::SettingsPresenter</name>
    <message>
        <source>Its settings leave the configuration, and its sessions are not kept warm any more. No conversation is lost, and nothing happens before you apply.</source>
        <translation>Seine Einstellungen verschwinden aus der Konfiguration, und seine Sitzungen werden nicht mehr warmgehalten. Kein Gespräch geht verloren, und vor dem Anwenden geschieht nichts.</translation>
    </message>
    <message numerus="yes">
        <source>%n provider(s) that go to it are removed too: %1.</source>
        <translation>
            <numerusform>%n Anbieter, der zu ihm geht, wird ebenfalls entfernt: %1.</numerusform>
            <numerusform>%n Anbieter, die zu ihm gehen, werden ebenfalls entfernt: %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the configuration…</source>
        <translation>Die Konfiguration wird gelesen…</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>Nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>The daemon checks the changes…</source>
        <translation>Der Daemon prüft die Änderungen…</translation>
    </message>
    <message numerus="yes">
        <source>Nothing was written: %n error(s).</source>
        <translation>
            <numerusform>Nichts wurde geschrieben: %n Fehler.</numerusform>
            <numerusform>Nichts wurde geschrieben: %n Fehler.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The file has %n error(s); the daemon goes on with what it read before.</source>
        <translation>
            <numerusform>Die Datei hat %n Fehler; der Daemon arbeitet mit dem zuvor Gelesenen weiter.</numerusform>
            <numerusform>Die Datei hat %n Fehler; der Daemon arbeitet mit dem zuvor Gelesenen weiter.</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved. Nothing changes for the daemon.</source>
        <translation>Gespeichert. Für den Daemon ändert sich nichts.</translation>
    </message>
    <message>
        <source>Saved and in force: %1.</source>
        <translation>Gespeichert und wirksam: %1.</translation>
    </message>
    <message>
        <source>Restart the daemon for: %1.</source>
        <translation>Den Daemon neu starten für: %1.</translation>
    </message>
    <message>
        <source>Nothing was written: somebody else changed the file meanwhile.</source>
        <translation>Nichts wurde geschrieben: Die Datei wurde inzwischen anderswo geändert.</translation>
    </message>
</context>
<context>
    <name>kv::SettingsProgram</name>
    <message>
        <source>These concern this program, not the daemon, and act at once.</source>
        <translation>Dies betrifft dieses Programm, nicht den Daemon, und wirkt sofort.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Start with the &amp;session, in the tray</source>
        <translation>Bei der An&amp;meldung starten, im Systemabschnitt</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>Set up with the assis&amp;tant…</source>
        <translation>Mit dem Assisten&amp;ten einrichten…</translation>
    </message>
    <message>
        <source>Finds servers, checks them and writes the configuration.</source>
        <translation>Findet Server, prüft sie und schreibt die Konfiguration.</translation>
    </message>
    <message>
        <source>Notify me when</source>
        <translation>Benachrichtigen, wenn</translation>
    </message>
    <message>
        <source>sessions are not kept warm &amp;any more</source>
        <translation>Sitzungen nicht mehr warmge&amp;halten werden</translation>
    </message>
    <message>
        <source>a &amp;model does not reuse what was restored</source>
        <translation>ein M&amp;odell Wiederhergestelltes nicht wiederverwendet</translation>
    </message>
    <message>
        <source>the &amp;disk is nearly full</source>
        <translation>der Datenträger fast vo&amp;ll ist</translation>
    </message>
    <message>
        <source>it &amp;works again</source>
        <translation>es wieder f&amp;unktioniert</translation>
    </message>
    <message>
        <source>Mini monitor</source>
        <translation>Mini-Monitor</translation>
    </message>
    <message>
        <source>Stays on &amp;top of other windows</source>
        <translation>&amp;Über anderen Fenstern halten</translation>
    </message>
    <message>
        <source>Takes effect when this program is started anew.</source>
        <translation>Wirkt nach einem Neustart dieses Programms.</translation>
    </message>
    <message>
        <source>Of the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>%1 was not written by this program and is left alone.</source>
        <translation>%1 wurde nicht von diesem Programm geschrieben und bleibt unangetastet.</translation>
    </message>
</context>
<context>
    <name>kv::SettingsProviders</name>
    <message>
        <source>A provider is the name under which your harness calls the endpoint. Only those listed here are kept warm; nothing else is touched.</source>
        <translation>Ein Anbieter ist der Name, unter dem das Harness den Endpunkt kennt. Nur die hier aufgeführten werden warmgehalten; alles andere bleibt unberührt.</translation>
    </message>
    <message>
        <source>A&amp;dd a provider</source>
        <translation>Anbieter &amp;hinzufügen</translation>
    </message>
    <message>
        <source>The file lists the names only. Write “name: server” there to change them here.</source>
        <translation>Die Datei führt nur die Namen auf. Dort „Name: Server“ schreiben, um sie hier zu ändern.</translation>
    </message>
    <message>
        <source>Add a server first: until then the one that is found serves every provider.</source>
        <translation>Zuerst einen Server hinzufügen: Bis dahin bedient der gefundene jeden Anbieter.</translation>
    </message>
    <message>
        <source>No provider goes to a server yet, so nothing is kept warm.</source>
        <translation>Noch geht kein Anbieter zu einem Server, also wird nichts warmgehalten.</translation>
    </message>
    <message>
        <source>Name of provider %1</source>
        <translation>Name von Anbieter %1</translation>
    </message>
    <message>
        <source>As your harness calls it; “*” is every provider without a row of its own.</source>
        <translation>Wie das Harness ihn nennt; „*“ ist jeder Anbieter ohne eigene Zeile.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove provider %1</source>
        <translation>Anbieter %1 entfernen</translation>
    </message>
    <message>
        <source>Server of provider %1</source>
        <translation>Server von Anbieter %1</translation>
    </message>
    <message>
        <source>Servers of provider %1, by model</source>
        <translation>Server von Anbieter %1, nach Modell</translation>
    </message>
    <message>
        <source>By the model&apos;s name, the first that fits. Edit this in the file.</source>
        <translation>Nach dem Namen des Modells, der erste passende. Dies in der Datei bearbeiten.</translation>
    </message>
    <message>
        <source>A provider needs a name.</source>
        <translation>Ein Anbieter braucht einen Namen.</translation>
    </message>
    <message>
        <source>Another row has this name.</source>
        <translation>Eine andere Zeile hat diesen Namen.</translation>
    </message>
    <message>
        <source>Goes to a server by model: edited in the file.</source>
        <translation>Geht je nach Modell zu einem Server: in der Datei zu bearbeiten.</translation>
    </message>
</context>
<context>
    <name>kv::SettingsRestoring</name>
    <message>
        <source>Bringing a session back</source>
        <translation>Eine Sitzung zurückholen</translation>
    </message>
    <message>
        <source>&amp;Restore saved sessions</source>
        <translation>Gesicherte &amp;Sitzungen wiederherstellen</translation>
    </message>
    <message>
        <source>Off: sessions are saved, but every one starts cold.</source>
        <translation>Aus: Sitzungen werden gesichert, aber jede beginnt kalt.</translation>
    </message>
    <message>
        <source>&amp;Verification</source>
        <translation>Überprüf&amp;ung</translation>
    </message>
    <message>
        <source>A session &amp;without a saved state</source>
        <translation>Sitzung &amp;ohne gesicherten Zustand</translation>
    </message>
    <message>
        <source>When something fails</source>
        <translation>Wenn etwas fehlschlägt</translation>
    </message>
    <message>
        <source>&amp;Fail the request instead of starting cold</source>
        <translation>Anfrage fehlsch&amp;lagen lassen, statt kalt zu beginnen</translation>
    </message>
    <message>
        <source>Strict: a session that cannot be saved or restored stops its request with an error. Usually a cold start, which only takes longer, is better.</source>
        <translation>Streng: Eine Sitzung, die nicht gesichert oder wiederhergestellt werden kann, hält ihre Anfrage mit einem Fehler auf. Meist ist ein Kaltstart besser, der nur länger dauert.</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>Insgesamt</translation>
    </message>
    <message>
        <source>&amp;Keep sessions warm</source>
        <translation>Sitzungen war&amp;mhalten</translation>
    </message>
    <message>
        <source>Off: the daemon runs, but leaves all servers alone.</source>
        <translation>Aus: Der Daemon läuft, lässt aber alle Server in Ruhe.</translation>
    </message>
</context>
<context>
    <name>kv::SettingsSaving</name>
    <message>
        <source>When a session is saved</source>
        <translation>Wann eine Sitzung gesichert wird</translation>
    </message>
    <message>
        <source>Before its slot goes to &amp;another session</source>
        <translation>Bevor ihr Sl&amp;ot an eine andere Sitzung geht</translation>
    </message>
    <message>
        <source>Without it a session that is pushed out starts cold when it comes back.</source>
        <translation>Sonst beginnt eine verdrängte Sitzung kalt, wenn sie zurückkehrt.</translation>
    </message>
    <message>
        <source>When the &amp;daemon stops</source>
        <translation>Wenn der Dae&amp;mon beendet wird</translation>
    </message>
    <message>
        <source>When the client has &amp;written its log</source>
        <translation>Wenn der Client sein Proto&amp;koll geschrieben hat</translation>
    </message>
    <message>
        <source>When the client &amp;closes the session</source>
        <translation>Wenn der C&amp;lient die Sitzung schließt</translation>
    </message>
    <message>
        <source>After each t&amp;urn</source>
        <translation>Nach &amp;jeder Runde</translation>
    </message>
    <message>
        <source>Writes more, and loses less after a power cut.</source>
        <translation>Schreibt mehr und verliert weniger nach einem Stromausfall.</translation>
    </message>
    <message>
        <source>After each st&amp;ep of a turn</source>
        <translation>Nach jedem Schri&amp;tt einer Runde</translation>
    </message>
    <message>
        <source>Writes a lot: a turn may have dozens of steps.</source>
        <translation>Schreibt viel: Eine Runde kann Dutzende Schritte haben.</translation>
    </message>
    <message>
        <source>After this time of &amp;quiet (ms)</source>
        <translation>Nach so langer R&amp;uhe (ms)</translation>
    </message>
    <message>
        <source>Milliseconds without a request; “off” for never.</source>
        <translation>Millisekunden ohne Anfrage; „off“ für nie.</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>&amp;Smallest session</source>
        <translation>Kleinste &amp;Sitzung</translation>
    </message>
    <message>
        <source>Shorter ones are not saved: a number of tokens, or “auto”.</source>
        <translation>Kürzere werden nicht gesichert: eine Anzahl Token oder „auto“.</translation>
    </message>
    <message>
        <source>&amp;Written per day, at most</source>
        <translation>H&amp;öchstens pro Tag geschrieben</translation>
    </message>
    <message>
        <source>To spare the disk; background saves stop near it. Like 50GB, 20GiB or “off”.</source>
        <translation>Schont den Datenträger; das Sichern im Hintergrund endet kurz davor. Etwa 50GB, 20GiB oder „off“.</translation>
    </message>
    <message>
        <source>Wait for a &amp;quiet server (ms)</source>
        <translation>Ma&amp;ximal auf einen ruhigen Server warten (ms)</translation>
    </message>
    <message>
        <source>A background save waits at most this long for the server to have nothing else to do.</source>
        <translation>So lange wartet das Sichern im Hintergrund höchstens darauf, dass der Server nichts anderes zu tun hat.</translation>
    </message>
    <message>
        <source>Sessions that another &amp;one started</source>
        <translation>Sitzungen, die eine andere gestartet &amp;hat</translation>
    </message>
</context>
<context>
    <name>kv::SettingsSchema</name>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>by what saving costs and gains</source>
        <translation>nach Aufwand und Nutzen des Sicherns</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
</context>
<context>
    <name>kv::SettingsServers</name>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>A&amp;dd</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>Re&amp;move…</source>
        <translation>En&amp;tfernen…</translation>
    </message>
    <message>
        <source>No server is configured: the first llama-server that answers on the ports 8080 and 9931 of this machine is used. Add one to choose it yourself.</source>
        <translation>Kein Server ist eingerichtet: Verwendet wird der erste llama-server, der an Port 8080 oder 9931 dieses Rechners antwortet. Einen hinzufügen, um ihn selbst zu bestimmen.</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>Na&amp;me</translation>
    </message>
    <message>
        <source>How it is called here and in the file. Saved sessions belong to a name: with another one they start cold once.</source>
        <translation>Wie er hier und in der Datei heißt. Gesicherte Sitzungen gehören zu einem Namen: Mit einem anderen beginnen sie einmal kalt.</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>Adre&amp;sse</translation>
    </message>
    <message>
        <source>Of llama-server itself, without /v1.</source>
        <translation>Von llama-server selbst, ohne /v1.</translation>
    </message>
    <message>
        <source>&amp;Test connection</source>
        <translation>Verbind&amp;ung testen</translation>
    </message>
    <message>
        <source>Runs the doctor on this address. Nothing on the server is changed.</source>
        <translation>Führt die Diagnose mit dieser Adresse aus. Am Server wird nichts geändert.</translation>
    </message>
    <message>
        <source>API key, in a &amp;file</source>
        <translation>API-Sch&amp;lüssel, in einer Datei</translation>
    </message>
    <message>
        <source>Better than in the configuration: only the path stands there.</source>
        <translation>Besser als in der Konfiguration: Dort steht nur der Pfad.</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Auswählen…</translation>
    </message>
    <message>
        <source>or the &amp;key itself</source>
        <translation>&amp;oder der Schlüssel selbst</translation>
    </message>
    <message>
        <source>Stands readable in the configuration file.</source>
        <translation>Steht lesbar in der Konfigurationsdatei.</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>Slots</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>&amp;Benutzung</translation>
    </message>
    <message>
        <source>Number of the &amp;slot</source>
        <translation>Nummer &amp;des Slots</translation>
    </message>
    <message>
        <source>Of “One slot”: which one, from 0.</source>
        <translation>Bei „Ein Slot“: welcher, ab 0.</translation>
    </message>
    <message>
        <source>Keep the &amp;last slot for titles and the like</source>
        <translation>Letzten Slot f&amp;ür Titel und Ähnliches freihalten</translation>
    </message>
    <message>
        <source>Of “All slots”.</source>
        <translation>Bei „Alle Slots“.</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Sa&amp;ved states</source>
        <translation>Gesicherte Zust&amp;ände</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>Ordn&amp;er</translation>
    </message>
    <message>
        <source>What llama-server got as --slot-save-path, as seen from here.</source>
        <translation>Was llama-server als --slot-save-path erhalten hat, von hier aus gesehen.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Weiteres</translation>
    </message>
    <message>
        <source>&amp;Runtime key</source>
        <translation>Laufze&amp;itschlüssel</translation>
    </message>
    <message>
        <source>Change it when you change something of the server that nobody can see; saved states of the old one are not used then.</source>
        <translation>Zu ändern, wenn sich am Server etwas ändert, das von außen nicht zu sehen ist; gesicherte Zustände des alten werden dann nicht verwendet.</translation>
    </message>
    <message>
        <source>&amp;Patience (ms)</source>
        <translation>W&amp;artezeit (ms)</translation>
    </message>
    <message>
        <source>How long an answer of the server may take.</source>
        <translation>Wie lange eine Antwort des Servers dauern darf.</translation>
    </message>
    <message>
        <source>has an error</source>
        <translation>hat einen Fehler</translation>
    </message>
    <message>
        <source>The file has the short form with one “backend:”. For several servers, write “servers:” in the file.</source>
        <translation>Die Datei hat die Kurzform mit einem einzigen „backend:“. Für mehrere Server in der Datei „servers:“ schreiben.</translation>
    </message>
    <message>
        <source>Remove a server</source>
        <translation>Server entfernen</translation>
    </message>
    <message>
        <source>Remove the server “%1”?</source>
        <translation>Den Server „%1“ entfernen?</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>A server needs a name.</source>
        <translation>Ein Server braucht einen Namen.</translation>
    </message>
    <message>
        <source>Another server has this name.</source>
        <translation>Ein anderer Server hat diesen Namen.</translation>
    </message>
    <message>
        <source>Test of %1</source>
        <translation>Test von %1</translation>
    </message>
    <message>
        <source>Folder of the slot files</source>
        <translation>Ordner der Slot-Dateien</translation>
    </message>
    <message>
        <source>File with the API key</source>
        <translation>Datei mit dem API-Schlüssel</translation>
    </message>
</context>
<context>
    <name>kv::SettingsSpace</name>
    <message>
        <source>Saved states are let go, oldest first</source>
        <translation>Gesicherte Zustände werden freigegeben, die ältesten zuerst</translation>
    </message>
    <message>
        <source>When together they take &amp;more than</source>
        <translation>Wenn sie zusammen &amp;mehr belegen als</translation>
    </message>
    <message>
        <source>Like 100GB, 80GiB or “off”.</source>
        <translation>Etwa 100GB, 80GiB oder „off“.</translation>
    </message>
    <message>
        <source>When the disk has &amp;less free than</source>
        <translation>Wenn auf dem Datenträger weniger frei ist a&amp;ls</translation>
    </message>
    <message>
        <source>Like 5GB, 4GiB or “off”. No save begins that would leave less.</source>
        <translation>Etwa 5GB, 4GiB oder „off“. Kein Sichern beginnt, das weniger übrig ließe.</translation>
    </message>
    <message>
        <source>When there are more &amp;sessions than</source>
        <translation>Wenn es mehr &amp;Sitzungen gibt als</translation>
    </message>
    <message>
        <source>A number, or “off”.</source>
        <translation>Eine Anzahl oder „off“.</translation>
    </message>
    <message>
        <source>When not used for this many &amp;days</source>
        <translation>Wenn so viele &amp;Tage nicht verwendet</translation>
    </message>
    <message>
        <source>Days on which the daemon ran; a number, or “off”.</source>
        <translation>Tage, an denen der Daemon lief; eine Anzahl oder „off“.</translation>
    </message>
    <message>
        <source>Pinned sessions are never let go. What is let go costs only time: the session starts cold when it comes back.</source>
        <translation>Angeheftete Sitzungen werden nie freigegeben. Eine Freigabe kostet nur Zeit: Die Sitzung beginnt kalt, wenn sie zurückkehrt.</translation>
    </message>
</context>
<context>
    <name>kv::SettingsText</name>
    <message>
        <source>One slot</source>
        <translation>Ein Slot</translation>
    </message>
    <message>
        <source>All sessions take turns in one slot. For llama-server with --parallel 1.</source>
        <translation>Alle Sitzungen wechseln sich in einem Slot ab. Für llama-server mit --parallel 1.</translation>
    </message>
    <message>
        <source>All slots</source>
        <translation>Alle Slots</translation>
    </message>
    <message>
        <source>Sessions are spread over all slots. The client has to put id_slot into its requests.</source>
        <translation>Sitzungen werden auf alle Slots verteilt. Der Client muss id_slot in seine Anfragen setzen.</translation>
    </message>
    <message>
        <source>Left to the server</source>
        <translation>Dem Server überlassen</translation>
    </message>
    <message>
        <source>Works everywhere. Files can neither be checked before a restore nor deleted.</source>
        <translation>Geht überall. Dateien können vor dem Wiederherstellen nicht geprüft und nicht gelöscht werden.</translation>
    </message>
    <message>
        <source>Looked after by kv-persist</source>
        <translation>Von kv-persist verwaltet</translation>
    </message>
    <message>
        <source>Files are checked before a restore and deleted when they are let go. Needs the folder that llama-server got as --slot-save-path.</source>
        <translation>Dateien werden vor dem Wiederherstellen geprüft und bei der Freigabe gelöscht. Braucht den Ordner, den llama-server als --slot-save-path erhalten hat.</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>What the server says after a restore is not compared with what was saved.</source>
        <translation>Was der Server nach dem Wiederherstellen meldet, wird nicht mit dem Gesicherten verglichen.</translation>
    </message>
    <message>
        <source>Basic</source>
        <translation>Einfach</translation>
    </message>
    <message>
        <source>What the server restored is compared with what was saved; when it differs, the session starts cold. Costs nothing.</source>
        <translation>Was der Server wiederhergestellt hat, wird mit dem Gesicherten verglichen; weicht es ab, beginnt die Sitzung kalt. Kostet nichts.</translation>
    </message>
    <message>
        <source>Strict</source>
        <translation>Streng</translation>
    </message>
    <message>
        <source>Also compares the whole file with its checksum before, where kv-persist looks after the files, and asks the server again after. Each restore reads its file twice.</source>
        <translation>Vergleicht zuvor auch die ganze Datei mit ihrer Prüfsumme, wo kv-persist die Dateien verwaltet, und fragt den Server danach noch einmal. Jedes Wiederherstellen liest seine Datei zweimal.</translation>
    </message>
    <message>
        <source>Keep what is in the slot</source>
        <translation>Inhalt des Slots behalten</translation>
    </message>
    <message>
        <source>Empty the slot first</source>
        <translation>Slot zuerst leeren</translation>
    </message>
    <message>
        <source>Restore a shared beginning</source>
        <translation>Gemeinsamen Anfang wiederherstellen</translation>
    </message>
    <message>
        <source>While they run</source>
        <translation>Solange sie laufen</translation>
    </message>
    <message>
        <source>The state of a session that another one started is let go when it ends.</source>
        <translation>Der Zustand einer Sitzung, die eine andere gestartet hat, wird freigegeben, wenn sie endet.</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Like any other session</source>
        <translation>Wie jede andere Sitzung</translation>
    </message>
    <message>
        <source>What the new prompt and the one in the slot have in common is reused, nothing else. Costs nothing.</source>
        <translation>Was der neue Prompt mit dem im Slot gemeinsam hat, wird wiederverwendet, sonst nichts. Kostet nichts.</translation>
    </message>
    <message>
        <source>A new session begins in an empty slot, where the server allows it: its whole prompt is processed.</source>
        <translation>Eine neue Sitzung beginnt in einem leeren Slot, wo der Server das zulässt: ihr ganzer Prompt wird verarbeitet.</translation>
    </message>
    <message>
        <source>A new session starts from what earlier ones of its provider began with, system prompt and tools, or from the session it was branched from. Costs one early save for each such beginning, and its file; until there is one, the slot is kept as it is.</source>
        <translation>Eine neue Sitzung beginnt mit dem, womit frühere ihres Anbieters begannen, Systemprompt und Werkzeuge, oder mit der Sitzung, von der sie abgezweigt wurde. Kostet je Anfang ein frühes Speichern und dessen Datei; bis es einen gibt, bleibt der Slot, wie er ist.</translation>
    </message>
</context>
<context>
    <name>kv::SocketClient</name>
    <message>
        <source>The daemon at %1 did not answer within %2 ms. It hangs, or another program listens there.</source>
        <translation>Der Daemon an %1 hat nicht innerhalb von %2 ms geantwortet. Er hängt, oder ein anderes Programm hört dort zu.</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>Die Verbindung wurde geschlossen.</translation>
    </message>
    <message>
        <source>The daemon closed the connection.</source>
        <translation>Der Daemon hat die Verbindung geschlossen.</translation>
    </message>
    <message>
        <source>The daemon at %1 speaks protocol %2, this program speaks %3. Use versions of both that belong together.</source>
        <translation>Der Daemon an %1 spricht Protokoll %2, dieses Programm %3. Bitte zusammengehörende Versionen verwenden.</translation>
    </message>
    <message>
        <source>No daemon runs: there is no socket %1.</source>
        <translation>Kein Daemon läuft: Den Socket %1 gibt es nicht.</translation>
    </message>
    <message>
        <source>No daemon runs: nobody listens on %1 any more.</source>
        <translation>Kein Daemon läuft: An %1 hört niemand mehr zu.</translation>
    </message>
    <message>
        <source>The daemon&apos;s socket %1 may not be opened by this user.</source>
        <translation>Der Socket %1 des Daemons darf von diesem Benutzer nicht geöffnet werden.</translation>
    </message>
    <message>
        <source>The daemon&apos;s socket %1 cannot be opened: %2.</source>
        <translation>Der Socket %1 des Daemons kann nicht geöffnet werden: %2.</translation>
    </message>
    <message>
        <source>What listens on %1 sent a line that is too long. It is not a kv-persist daemon, or a faulty one.</source>
        <translation>Was an %1 zuhört, hat eine zu lange Zeile gesendet. Es ist kein Daemon von kv-persist, oder ein fehlerhafter.</translation>
    </message>
    <message>
        <source>What listens on %1 does not speak the protocol of kv-persist.</source>
        <translation>Was an %1 zuhört, spricht nicht das Protokoll von kv-persist.</translation>
    </message>
    <message>
        <source>There is no connection to the daemon at %1.</source>
        <translation>Es besteht keine Verbindung zum Daemon an %1.</translation>
    </message>
    <message>
        <source>The daemon did not answer %1 within %2 ms. It may still do it.</source>
        <translation>Der Daemon hat auf %1 nicht innerhalb von %2 ms geantwortet. Vielleicht erledigt er es noch.</translation>
    </message>
    <message>
        <source>The request is larger than the %1 bytes that the daemon takes.</source>
        <translation>Die Anfrage ist größer als die %1 Bytes, die der Daemon annimmt.</translation>
    </message>
    <message>
        <source>The daemon does not read what it is sent. It is overloaded or hangs.</source>
        <translation>Der Daemon liest nicht, was ihm gesendet wird. Er ist überlastet oder hängt.</translation>
    </message>
</context>
<context>
    <name>kv::TimelineModel</name>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n Minute</numerusform>
            <numerusform>%n Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n Stunde</numerusform>
            <numerusform>%n Stunden</numerusform>
        </translation>
    </message>
    <message>
        <source>The daemon does not answer; what happened is shown as soon as it does.</source>
        <translation>Der Dienst antwortet nicht; was geschah, erscheint, sobald er es tut.</translation>
    </message>
    <message>
        <source>Reading what happened…</source>
        <translation>Der Verlauf wird gelesen …</translation>
    </message>
    <message>
        <source>No server is configured yet. Add one under Settings.</source>
        <translation>Es ist noch kein Server eingerichtet. Unter „Einstellungen“ lässt sich einer hinzufügen.</translation>
    </message>
    <message>
        <source>No slot was used in this time. Sessions appear here as they work.</source>
        <translation>In dieser Zeit wurde kein Slot benutzt. Sitzungen erscheinen hier, sobald sie arbeiten.</translation>
    </message>
    <message>
        <source>%1, slot %2</source>
        <translation>%1, Slot %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message numerus="yes">
        <source>%n marks too close to tell apart, %1 to %2; zoom in to see each</source>
        <translation>
            <numerusform>%n Marke, %1 bis %2; zum Unterscheiden vergrößern</numerusform>
            <numerusform>%n Marken zu dicht beieinander, %1 bis %2; zum Unterscheiden vergrößern</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Tokens</translation>
    </message>
    <message>
        <source>its state</source>
        <translation>ihr Zustand</translation>
    </message>
    <message>
        <source>%1: has the slot since %2, for %3</source>
        <translation>%1: hat den Slot seit %2, also %3</translation>
    </message>
    <message>
        <source>%1: had the slot for %2, %3 to %4</source>
        <translation>%1: hatte den Slot %2 lang, %3 bis %4</translation>
    </message>
    <message>
        <source>%1: answering for %2, since %3</source>
        <translation>%1: antwortet seit %2, ab %3</translation>
    </message>
    <message>
        <source>%1: answered for %2, %3</source>
        <translation>%1: antwortete %2 lang, %3</translation>
    </message>
    <message>
        <source>%1: saving since %2</source>
        <translation>%1: wird gesichert seit %2</translation>
    </message>
    <message>
        <source>%1: saved %2 in %3, %4</source>
        <translation>%1: %2 gesichert in %3, %4</translation>
    </message>
    <message>
        <source>%1: restoring since %2</source>
        <translation>%1: wird wiederhergestellt seit %2</translation>
    </message>
    <message>
        <source>%1: restored %2 in %3, %4</source>
        <translation>%1: %2 wiederhergestellt in %3, %4</translation>
    </message>
    <message>
        <source>%1: failed with %2, %3</source>
        <translation>%1: fehlgeschlagen mit %2, %3</translation>
    </message>
    <message>
        <source>The daemon is away; this is what was known at %1.</source>
        <translation>Der Daemon ist nicht erreichbar; dies war um %1 bekannt.</translation>
    </message>
</context>
<context>
    <name>kv::TimelineView</name>
    <message>
        <source>answering</source>
        <translation>antwortet</translation>
    </message>
    <message>
        <source>restored</source>
        <translation>wiederhergestellt</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gesichert</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>Timeline of the slots</source>
        <translation>Zeitleiste der Slots</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>The arrow keys go through what happened, plus and minus zoom.</source>
        <translation>Die Pfeiltasten gehen durch das Geschehene, Plus und Minus vergrößern und verkleinern.</translation>
    </message>
    <message numerus="yes">
        <source>%n switch(es)</source>
        <translation>
            <numerusform>%n Wechsel</numerusform>
            <numerusform>%n Wechsel</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>thrashing, %n switch(es)</source>
        <translation>
            <numerusform>Verdrängung, %n Wechsel</numerusform>
            <numerusform>Verdrängung, %n Wechsel</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::TrayIcon</name>
    <message>
        <source>That did not work</source>
        <translation>Das hat nicht funktioniert</translation>
    </message>
    <message>
        <source>&amp;Save now</source>
        <translation>Jetzt &amp;sichern</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pausieren</translation>
    </message>
    <message>
        <source>For &amp;10 minutes</source>
        <translation>Für &amp;10 Minuten</translation>
    </message>
    <message>
        <source>For an &amp;hour</source>
        <translation>Für eine &amp;Stunde</translation>
    </message>
    <message>
        <source>Until &amp;resumed</source>
        <translation>Bis zum &amp;Fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Öffnen</translation>
    </message>
    <message>
        <source>&amp;Mini monitor</source>
        <translation>&amp;Mini-Monitor</translation>
    </message>
    <message>
        <source>&amp;Doctor</source>
        <translation>&amp;Diagnose</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
</context>
<context>
    <name>kv::TrayIconPresenter</name>
    <message>
        <source>Looking for the daemon …</source>
        <translation>Der Daemon wird gesucht …</translation>
    </message>
    <message>
        <source>Switched off in the configuration</source>
        <translation>In der Konfiguration abgeschaltet</translation>
    </message>
    <message>
        <source>No server was found</source>
        <translation>Kein Server wurde gefunden</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>server: its state</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Ready, no session yet</source>
        <translation>Bereit, noch keine Sitzung</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>session: what is known of it</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>, </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>server: who has its slot</comment>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>kv::TrayOptions</name>
    <message>
        <source>Shows and steers kv-persist in the tray.</source>
        <translation>Zeigt und steuert kv-persist im Systemabschnitt.</translation>
    </message>
    <message>
        <source>The daemon&apos;s socket. Default: $KV_PERSIST_SOCKET, else $XDG_RUNTIME_DIR/kv-persist/api.sock.</source>
        <translation>Der Socket des Dienstes. Vorgabe: $KV_PERSIST_SOCKET, sonst $XDG_RUNTIME_DIR/kv-persist/api.sock.</translation>
    </message>
    <message>
        <source>Open the window on this page: overview, sessions, activity, doctor or settings.</source>
        <translation>Das Fenster auf dieser Seite öffnen: overview, sessions, activity, doctor oder settings.</translation>
    </message>
    <message>
        <source>Start without a window, as at the start of a session.</source>
        <translation>Ohne Fenster starten, wie bei der Anmeldung.</translation>
    </message>
    <message>
        <source>Render every page with a sample state into this folder, and end.</source>
        <translation>Jede Seite mit einem Beispielzustand in diesen Ordner zeichnen und beenden.</translation>
    </message>
    <message>
        <source>Another kv-persist-tray runs but does not answer. End it and try again.</source>
        <translation>Ein anderes kv-persist-tray läuft, antwortet aber nicht. Es beenden und erneut versuchen.</translation>
    </message>
</context>
<context>
    <name>kv::TrayStateText</name>
    <message>
        <source>All sessions are warm</source>
        <translation>Alle Sitzungen sind warm</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>Arbeitet</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>Braucht Aufmerksamkeit</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>No server answers</source>
        <translation>Kein Server antwortet</translation>
    </message>
    <message>
        <source>The daemon is away</source>
        <translation>Der Daemon ist nicht erreichbar</translation>
    </message>
</context>
<context>
    <name>kv::YamlEdit</name>
    <message>
        <source>“%1” is written in a way that cannot be changed from here without risk to the rest. Edit this in the file.</source>
        <translation>„%1“ ist so geschrieben, dass es von hier aus nicht ohne Gefahr für den Rest geändert werden kann. Dies in der Datei bearbeiten.</translation>
    </message>
</context>
<context>
    <name>kv::YamlEditTree</name>
    <message>
        <source>an alias stands inside of what it names</source>
        <translation>ein Alias steht innerhalb dessen, was er benennt</translation>
    </message>
    <message>
        <source>this is nested too deep</source>
        <translation>dies ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>there are too many values</source>
        <translation>es sind zu viele Werte</translation>
    </message>
    <message>
        <source>a key must be a name</source>
        <translation>ein Schlüssel muss ein Name sein</translation>
    </message>
    <message>
        <source>it holds more than one document</source>
        <translation>sie enthält mehr als ein Dokument</translation>
    </message>
    <message>
        <source>The file cannot be read as YAML (line %1: %2). Correct it in an editor.</source>
        <translation>Die Datei kann nicht als YAML gelesen werden (Zeile %1: %2). Bitte in einem Editor berichtigen.</translation>
    </message>
    <message>
        <source>The file cannot be read as YAML: %1. Correct it in an editor.</source>
        <translation>Die Datei kann nicht als YAML gelesen werden: %1. Bitte in einem Editor berichtigen.</translation>
    </message>
</context>
</TS>
