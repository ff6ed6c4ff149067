<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>kv::ChartView</name>
    <message numerus="yes">
        <source>%n value(s); last %1, largest %2</source>
        <translation>
            <numerusform>%n value; last %1, largest %2</numerusform>
            <numerusform>%n values; last %1, largest %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::DoctorPresenter</name>
    <message numerus="yes">
        <source>Checking… %n check(s) done</source>
        <translation>
            <numerusform>Checking… %n check done</numerusform>
            <numerusform>Checking… %n checks done</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ready. All %n check(s) passed.</source>
        <translation>
            <numerusform>Ready. %n check passed.</numerusform>
            <numerusform>Ready. All %n checks passed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ready, with %n warning(s).</source>
        <translation>
            <numerusform>Ready, with %n warning.</numerusform>
            <numerusform>Ready, with %n warnings.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not ready: %n check(s) failed.</source>
        <translation>
            <numerusform>Not ready: %n check failed.</numerusform>
            <numerusform>Not ready: %n checks failed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::FirstStartPresenter</name>
    <message numerus="yes">
        <source>%n slot(s)</source>
        <translation>
            <numerusform>%n slot</numerusform>
            <numerusform>%n slots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n server(s) found. Choose one, or type an address.</source>
        <translation>
            <numerusform>%n server found. Choose it, or type an address.</numerusform>
            <numerusform>%n servers found. Choose one, or type an address.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::LocaleText</name>
    <message numerus="yes">
        <source>%n day(s) ago</source>
        <translation>
            <numerusform>%n day ago</numerusform>
            <numerusform>%n days ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::OverviewPresenter</name>
    <message numerus="yes">
        <source>%n request(s) wait</source>
        <translation>
            <numerusform>%n request waits</numerusform>
            <numerusform>%n requests wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of %n request(s)</source>
        <translation>
            <numerusform>of %n request</numerusform>
            <numerusform>of %n requests</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n session</numerusform>
            <numerusform>%n sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>room for %n day(s)</source>
        <translation>
            <numerusform>room for %n day</numerusform>
            <numerusform>room for %n days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::SessionExport</name>
    <message numerus="yes">
        <source>%n row(s) exported to %1.</source>
        <translation>
            <numerusform>%n row exported to %1.</numerusform>
            <numerusform>%n rows exported to %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::SessionsPresenter</name>
    <message numerus="yes">
        <source>All %n done.</source>
        <translation>
            <numerusform>%n done.</numerusform>
            <numerusform>All %n done.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Forget %n snapshot(s)?</source>
        <translation>
            <numerusform>Forget %n snapshot?</numerusform>
            <numerusform>Forget %n snapshots?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 snapshot(s)</source>
        <translation>
            <numerusform>%1 snapshot</numerusform>
            <numerusform>%1 snapshots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n deselected by the filter</source>
        <translation>
            <numerusform>, %n deselected by the filter</numerusform>
            <numerusform>, %n deselected by the filter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 And %n more.</source>
        <comment>sentences about what failed</comment>
        <translation>
            <numerusform>%1 And %n more.</numerusform>
            <numerusform>%1 And %n more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::SettingsPresenter</name>
    <message numerus="yes">
        <source>%n provider(s) that go to it are removed too: %1.</source>
        <translation>
            <numerusform>%n provider that goes to it is removed too: %1.</numerusform>
            <numerusform>%n providers that go to it are removed too: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing was written: %n error(s).</source>
        <translation>
            <numerusform>Nothing was written: %n error.</numerusform>
            <numerusform>Nothing was written: %n errors.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The file has %n error(s); the daemon goes on with what it read before.</source>
        <translation>
            <numerusform>The file has %n error; the daemon goes on with what it read before.</numerusform>
            <numerusform>The file has %n errors; the daemon goes on with what it read before.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::TimelineModel</name>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n hour</numerusform>
            <numerusform>%n hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n marks too close to tell apart, %1 to %2; zoom in to see each</source>
        <translation>
            <numerusform>%n mark, %1 to %2; zoom in to see it</numerusform>
            <numerusform>%n marks too close to tell apart, %1 to %2; zoom in to see each</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::TimelineView</name>
    <message numerus="yes">
        <source>%n switch(es)</source>
        <translation>
            <numerusform>%n switch</numerusform>
            <numerusform>%n switches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>thrashing, %n switch(es)</source>
        <translation>
            <numerusform>thrashing, %n switch</numerusform>
            <numerusform>thrashing, %n switches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kv::TrayIconPresenter</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
</TS>
