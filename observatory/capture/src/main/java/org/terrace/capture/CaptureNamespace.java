package org.terrace.capture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The user and network namespace in which an ordinary user's run may capture: a network of its own,
 * with a loopback interface that nothing outside shares.
 *
 * <p>The kernel lets a process of one thread alone enter a user namespace, and a JVM has many. So
 * the running command replaces itself by {@code unshare}, which enters and starts the same command
 * again. The process keeps its id, terminal, standard streams and parent: signals and the exit code
 * need no forwarding, and nothing is left behind when it is killed. An environment variable tells
 * the second start that it is the second.
 *
 * <p>Inside, the user's id and files are the same; rights count for the namespace alone; the ports
 * of the servers cannot be reached from outside, nor other machines from inside.
 *
 * <p>Source: Linux manual pages user_namespaces(7), unshare(1).
 */
public final class CaptureNamespace {
  /** Set to {@code 1} in the environment of a command that runs inside. */
  public static final String ENVIRONMENT = "TERRACE_NAMESPACE";

  private static final String LOOPBACK = "lo";
  private static final Path SELF = Path.of("/proc/self");
  private static final int SET_DESCRIPTOR_FLAGS = 2;
  private static final int CLOSE_ON_EXECUTE = 1;
  private static final int LAST_STANDARD_STREAM = 2;

  private CaptureNamespace() {}

  /** The place in which a run that captures found itself. */
  public enum Placement {
    /** Outside: this process may capture itself. */
    PERMITTED,
    /** Outside: {@code dumpcap} or {@code tcpdump} may capture for this user. */
    PERMITTED_PROGRAM,
    /** Inside a namespace of its own, with loopback up. */
    NAMESPACE
  }

  /** Whether this command was started inside. */
  public static boolean isInside() {
    return "1".equals(System.getenv(ENVIRONMENT));
  }

  /**
   * Makes sure that what this command starts can be captured. To be called first thing in the
   * command: where a namespace is needed the call does not return, the command starts again from
   * its beginning instead, and there the call brings loopback up and returns. Shutdown hooks do not
   * run and buffered output other than standard output is lost at that moment.
   *
   * @throws TerraceException with {@code MACHINE_LACKS} when neither works, with the one command
   *     that changes it
   */
  public static Placement enter() {
    CaptureSystem.requireLinux();
    if (isInside()) {
      return inside();
    }
    if (CaptureRights.ofThisProcess().builtIn()) {
      return Placement.PERMITTED;
    }
    if (CaptureRights.permittedProgram().isPresent()) {
      return Placement.PERMITTED_PROGRAM;
    }
    NamespaceSupport support = NamespaceSupport.ofThisUser();
    if (!support.permitted()) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "capturing packets is not permitted (CAP_NET_RAW is missing), nor is a namespace in which it would be: %s; permit it with: %s"
              .formatted(
                  support.detail(), support.remedy().orElseGet(CaptureRights::grantCommand)));
    }
    throw restart();
  }

  /**
   * Moves this command into a namespace wherever that is permitted, so that what it does to the
   * network concerns nothing else; elsewhere it stays outside. To be called first thing in the
   * command, as {@link #enter}.
   *
   * @return whether it is inside
   */
  public static boolean enterIfPermitted() {
    if (isInside()) {
      return inside() == Placement.NAMESPACE;
    }
    if (CaptureSystem.isLinux() && NamespaceSupport.ofThisUser().permitted()) {
      throw restart();
    }
    return false;
  }

  /**
   * Moves this command into a namespace of its own, whether or not it may capture outside: what it
   * does to the network concerns nothing else. To be called first thing in the command, as {@link
   * #enter}.
   *
   * @throws TerraceException with {@code MACHINE_LACKS} when that is not permitted, with the one
   *     command that permits it
   */
  public static void require() {
    CaptureSystem.requireLinux();
    if (isInside()) {
      var _ = inside();
      return;
    }
    NamespaceSupport support = NamespaceSupport.ofThisUser();
    if (support.permitted()) {
      throw restart();
    }
    throw new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "a network namespace is not permitted: %s%s"
            .formatted(
                support.detail(),
                support.remedy().map(command -> "; permit it with: " + command).orElse("")));
  }

  private static Placement inside() {
    if (!CaptureRights.ofThisProcess().builtIn()) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "%s=1 says that this command runs in a namespace of its own, but it may not capture: run it with that variable unset"
              .formatted(ENVIRONMENT));
    }
    NetworkInterfaceFacts.bringUp(LOOPBACK);
    return Placement.NAMESPACE;
  }

  /** Replaces this process; returns only to say why that failed. */
  private static TerraceException restart() {
    try {
      List<byte[]> command = new ArrayList<>();
      Path unshare = CaptureSystem.program("unshare").orElseThrow();
      NamespaceSupport.command(unshare).forEach(word -> command.add(bytes(word)));
      command.addAll(ownCommand());
      closeOnExecute();
      System.out.flush();
      System.err.flush();
      LinuxCalls.setEnvironment(ENVIRONMENT, "1");
      int error = -LinuxCalls.execute(command);
      return new TerraceException(
          ErrorCode.MACHINE_LACKS, "%s could not be started: error %d".formatted(unshare, error));
    } catch (IOException e) {
      return new TerraceException(
          ErrorCode.MACHINE_LACKS, "the running command could not be read: " + e.getMessage(), e);
    }
  }

  /**
   * The command line of this process as the kernel keeps it, byte for byte, with the program by its
   * full path.
   */
  private static List<byte[]> ownCommand() throws IOException {
    byte[] line = Files.readAllBytes(SELF.resolve("cmdline"));
    List<byte[]> words = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < line.length; i++) {
      if (line[i] == 0) {
        words.add(Arrays.copyOfRange(line, start, i));
        start = i + 1;
      }
    }
    words.set(0, bytes(Files.readSymbolicLink(SELF.resolve("exe")).toString()));
    return words;
  }

  /** Lets no open file of this JVM leak into the next. */
  private static void closeOnExecute() throws IOException {
    try (Stream<Path> descriptors = Files.list(SELF.resolve("fd"))) {
      descriptors
          .mapToInt(file -> Integer.parseInt(file.getFileName().toString()))
          .filter(descriptor -> descriptor > LAST_STANDARD_STREAM)
          .forEach(descriptor ->
              LinuxCalls.fileControl(descriptor, SET_DESCRIPTOR_FLAGS, CLOSE_ON_EXECUTE));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
