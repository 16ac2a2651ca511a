; The installer for Windows, by Inno Setup, of the folder that `.ci/bundle` made. Never run: no Windows was at hand.
#ifndef Version
  #define Version "0"
#endif
[Setup]
AppId=irjudge
AppName=irjudge
AppVersion={#Version}
DefaultDirName={autopf}\irjudge
DefaultGroupName=irjudge
PrivilegesRequired=lowest
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
OutputDir=..\..\build\bundle
OutputBaseFilename=irjudge-{#Version}-setup
Compression=lzma2
SolidCompression=yes

[Files]
Source: "..\..\build\bundle\folder\irjudge\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{group}\irjudge"; Filename: "{app}\irjudge-window.exe"

[Registry]
Root: HKA; Subkey: "Software\Classes\.irjudge"; ValueType: string; ValueData: "irjudge.project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.irtask"; ValueType: string; ValueData: "irjudge.project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\irjudge.project"; ValueType: string; ValueData: "irjudge project"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\irjudge.project\shell\open\command"; ValueType: string; ValueData: """{app}\irjudge-window.exe"" ""%1"""
