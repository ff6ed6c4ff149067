<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>kv::AtomicFile</name>
    <message>
        <source>The file &apos;%1&apos; cannot be written (%2); it is as it was. Check the rights and the free space of its folder.</source>
        <translation>Die Datei „%1“ kann nicht geschrieben werden (%2); sie ist unverändert. Bitte die Rechte und den freien Platz ihres Ordners prüfen.</translation>
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
        <source>also save and restore a small state in an idle slot</source>
        <translation>auch einen kleinen Zustand in einem freien Slot sichern und wiederherstellen</translation>
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
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
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
</TS>
