package org.terrace.capture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The right of this process to capture packets in its network namespace, found by trying.
 * Immutable.
 *
 * @param capability whether CAP_NET_RAW is in its effective set
 * @param builtIn whether the kernel gave it a packet socket
 * @param detail what was found, in one sentence
 * @param remedy the one command that grants what is missing; empty when nothing is
 */
public record CaptureRights(
    boolean capability, boolean builtIn, String detail, Optional<String> remedy) {
  private static final int CAP_NET_RAW = 13;
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String EFFECTIVE = "CapEff:";
  private static final String USER = "Uid:";

  /** The rights of this process; takes less than a millisecond. */
  public static CaptureRights ofThisProcess() {
    if (!CaptureSystem.isLinux()) {
      return new CaptureRights(false, false, "capturing packets needs Linux", Optional.empty());
    }
    boolean capability = hasCapability(CAP_NET_RAW);
    int error = PacketRing.permission();
    if (error == 0) {
      return new CaptureRights(
          capability, true, "this process may open a packet socket", Optional.empty());
    }
    return new CaptureRights(capability, false, reason(error), Optional.of(grantCommand()));
  }

  /**
   * Whether {@code tcpdump} or {@code dumpcap} may capture for this user, though this process may
   * not; found by starting it for a moment.
   */
  public static Optional<CaptureMethod> permittedProgram() {
    for (CaptureProgram program : CaptureProgram.values()) {
      if (program.find().isPresent() && program.isPermitted()) {
        return Optional.of(program.method());
      }
    }
    return Optional.empty();
  }

  /** The message for a process that was refused with an error number. */
  static String refusal(int error, String interfaceName) {
    return "capture on %s: %s; grant it with: %s"
        .formatted(interfaceName, reason(error), grantCommand());
  }

  private static String reason(int error) {
    return switch (error) {
      case LinuxCalls.EPERM, LinuxCalls.EACCES ->
          "the right CAP_NET_RAW is missing, which opening a packet socket takes";
      case LinuxCalls.EAFNOSUPPORT -> "the kernel has no packet sockets (CONFIG_PACKET)";
      default -> "the kernel refused a packet socket with error " + error;
    };
  }

  /**
   * Capabilities on the java program itself do not help: the loader then refuses to find libjli
   * beside it. So the right goes to a program made for it, or to this one command.
   */
  static String grantCommand() {
    if (userId() == 0) {
      return "start the container with --cap-add NET_RAW";
    }
    return Stream.of(CaptureProgram.values())
        .flatMap(program -> program.grant().stream())
        .findFirst()
        .orElse(
            "sudo setpriv --reuid $(id -u) --regid $(id -g) --init-groups"
                + " --inh-caps +net_raw --ambient-caps +net_raw COMMAND");
  }

  /** Whether a capability is in this process's effective set. */
  static boolean hasCapability(int number) {
    String mask = statusField(EFFECTIVE);
    return !mask.isEmpty() && (Long.parseUnsignedLong(mask, 16) >>> number & 1) == 1;
  }

  /** The effective user of this process, or -1 where the kernel does not say. */
  static int userId() {
    String[] ids = statusField(USER).split("\\s+", -1);
    return ids.length > 1 ? Integer.parseInt(ids[1]) : -1;
  }

  private static String statusField(String name) {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(name.length()).strip())
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
