package org.terrace.capture;

import java.nio.file.Path;

/**
 * A command as a user would start it: enters a namespace where it must, captures its own traffic,
 * and says what it saw.
 */
public final class NamespaceCommand {
  static final int EXIT_CODE = 7;

  private NamespaceCommand() {}

  /** Captures into the named file; further words come back as they were given. */
  public static void main(String[] arguments) throws Exception {
    long process = ProcessHandle.current().pid();
    System.out.println("start " + process);
    CaptureNamespace.Placement placement = CaptureNamespace.enter();
    System.out.println("placement " + placement + " user " + CaptureRights.userId());
    System.out.println("words " + String.join("|", arguments));
    PacketCapture capture =
        PacketCapture.open(
            CaptureOptions.to(Path.of(arguments[0]))
                .withFilter(CaptureFilter.networks("127.12.20.0/24")));
    try (UdpTraffic traffic = UdpTraffic.between("127.12.20.1", "127.12.20.2")) {
      traffic.send(1000, 100);
    }
    capture.close();
    System.out.println("method " + capture.method() + " written " + capture.counts().written());
    System.exit(EXIT_CODE);
  }
}
