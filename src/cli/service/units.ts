/** The files that make an operating system start the service for a person, and keep it running. */
import { join } from 'node:path'

interface Start {
  /** The program and its arguments. */
  readonly command: readonly string[]
  /** The folder that relative paths are read in. */
  readonly folder: string
  readonly home: string
}

export interface Unit {
  readonly file: string
  readonly text: string
  /** What tells the system about the file, and what makes it forget it. */
  readonly begin: readonly (readonly string[])[]
  readonly end: readonly (readonly string[])[]
}

export const units: Readonly<Partial<Record<NodeJS.Platform, (start: Start) => Unit>>> = {
  linux: systemd,
  darwin: launchd,
}

function systemd({ command, folder, home }: Start): Unit {
  return {
    file: join(home, '.config', 'systemd', 'user', 'throughline.service'),
    text: `[Unit]
Description=Throughline: conversations that go on
After=network.target

[Service]
ExecStart=${command.map(quoted).join(' ')}
WorkingDirectory=${escaped(folder)}
Restart=on-failure
RestartSec=2
# a stop waits for answers that are being written
TimeoutStopSec=60
NoNewPrivileges=yes
UMask=0077

[Install]
WantedBy=default.target
`,
    begin: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', 'throughline.service'],
    ],
    end: [['systemctl', '--user', 'disable', '--now', 'throughline.service']],
  }
}

// systemd reads % and \ in a value, and $ in a command
const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('%', '%%')
const quoted = (word: string): string => `"${escaped(word).replaceAll('"', '\\"').replaceAll('$', '$$$$')}"`

const label = 'dev.throughline.service'

function launchd({ command, folder, home }: Start): Unit {
  const file = join(home, 'Library', 'LaunchAgents', `${label}.plist`)
  return {
    file,
    text: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${label}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${entities(word)}</string>`).join('\n')}
  </array>
  <key>WorkingDirectory</key>
  <string>${entities(folder)}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardErrorPath</key>
  <string>${entities(join(home, 'Library', 'Logs', 'throughline.log'))}</string>
</dict>
</plist>
`,
    begin: [['launchctl', 'load', '-w', file]],
    end: [['launchctl', 'unload', '-w', file]],
  }
}

const entities = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
