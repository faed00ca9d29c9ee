package org.terrace.capture;

import java.util.ArrayList;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/** Chooses and starts the way of a capture. Stateless. */
final class CaptureOpening {
  private CaptureOpening() {}

  static PacketCapture open(CaptureOptions options) {
    CaptureSystem.requireLinux();
    return switch (options.method()) {
      case BUILT_IN -> RingCapture.start(options, TimeSource.system());
      case TCPDUMP -> ChildCapture.start(options, CaptureProgram.TCPDUMP, TimeSource.system());
      case DUMPCAP -> ChildCapture.start(options, CaptureProgram.DUMPCAP, TimeSource.system());
      case AUTOMATIC -> automatic(options);
    };
  }

  /**
   * A missing right is what another program may have. Everything else that goes wrong is told at
   * once, for another program would fail the same way.
   */
  private static PacketCapture automatic(CaptureOptions options) {
    if (CaptureRights.ofThisProcess().builtIn()) {
      return open(options.withMethod(CaptureMethod.BUILT_IN));
    }
    List<TerraceException> failures = new ArrayList<>();
    for (CaptureMethod method : List.of(CaptureMethod.TCPDUMP, CaptureMethod.DUMPCAP)) {
      try {
        return open(options.withMethod(method));
      } catch (TerraceException e) {
        failures.add(e);
      }
    }
    TerraceException refused =
        new TerraceException(
            ErrorCode.MACHINE_LACKS,
            CaptureRights.refusal(LinuxCalls.EPERM, options.interfaceName()));
    failures.forEach(refused::addSuppressed);
    throw refused;
  }
}
