package org.terrace.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.core.process.Keeper;
import org.terrace.core.process.ProcessTree;

/**
 * Finds the process that listens at an address, from the socket tables in {@code /proc/net} and the
 * open files of processes. Stateless and thread-safe.
 */
final class SocketOwner {
  private static final List<String> TABLES = List.of("/proc/net/tcp", "/proc/net/tcp6");
  private static final String LISTENING = "0A";

  /** The state of a connection that is open at both ends, as the tables name it. */
  static final String ESTABLISHED = "01";

  private static final String ANY = "0.0.0.0";
  private static final int LONGEST_COMMAND = 200;

  /**
   * A process that listens.
   *
   * @param command its command line, cut
   * @param trial the mark of the trial it was started for; empty when it is of no trial
   * @param run the living process that it ends with; empty if there is none
   */
  record Owner(long pid, String command, Optional<String> trial, Optional<Run> run) {}

  /**
   * A living run.
   *
   * @param command its command line, cut
   */
  record Run(long pid, String command) {}

  private SocketOwner() {}

  /**
   * The owner that listens at an IPv4 address, itself or at all addresses; empty when it cannot be
   * seen.
   */
  static Optional<Owner> of(String address, int port) {
    return inode(address, port).flatMap(SocketOwner::holder);
  }

  /** The places at which some processes listen, as {@code address:port}, in order. */
  static List<String> listening(List<Long> pids) {
    Set<String> places = new TreeSet<>();
    for (String[] row : rows(LISTENING, pids)) {
      InetAddress address = address(row[1]);
      String text = address.isAnyLocalAddress() ? ANY : address.getHostAddress();
      places.add(text + ":" + port(row[1]));
    }
    return List.copyOf(places);
  }

  /** The rows of the tables about sockets of some processes that are in a state. */
  static List<String[]> rows(String state, List<Long> pids) {
    Set<String> held = new HashSet<>();
    pids.forEach(pid -> held.addAll(sockets(pid)));
    return TABLES.stream()
        .flatMap(table -> rows(table, state).stream())
        .filter(row -> held.contains("socket:[" + row[9] + "]"))
        .toList();
  }

  /** The address of a hexadecimal place, whose words of 32 bits are as the machine holds them. */
  static InetAddress address(String place) {
    byte[] told = HexFormat.of().parseHex(place.substring(0, place.indexOf(':')));
    byte[] bytes = new byte[told.length];
    for (int index = 0; index < bytes.length; index++) {
      bytes[index] = told[index ^ 3];
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // of 4 and 16 bytes there is none
    }
  }

  /** The port of a hexadecimal place. */
  static int port(String place) {
    return Integer.parseInt(place.substring(place.indexOf(':') + 1), 16);
  }

  private static List<String[]> rows(String table, String state) {
    try {
      return Files.readAllLines(Path.of(table)).stream()
          .map(line -> line.strip().split("\\s+", -1))
          .filter(fields -> fields.length > 9 && fields[3].equals(state))
          .toList();
    } catch (IOException e) {
      return List.of(); // a kernel without this family has no such table, and no sockets of it
    }
  }

  private static Optional<String> inode(String address, int port) {
    String portHex = String.format(Locale.ROOT, "%04X", port);
    String v4 = littleEndianHex(address);
    String mapped = "0000000000000000FFFF0000" + v4;
    List<String> wanted =
        List.of(
            v4 + ":" + portHex,
            "00000000:" + portHex,
            mapped + ":" + portHex,
            "0".repeat(32) + ":" + portHex);
    for (String table : TABLES) {
      for (String[] fields : rows(table, LISTENING)) {
        if (wanted.contains(fields[1])) {
          return Optional.of(fields[9]);
        }
      }
    }
    return Optional.empty();
  }

  /** The tables print the 32-bit words of an address as the machine holds them. */
  private static String littleEndianHex(String address) {
    String[] octets = address.split("\\.", -1);
    byte[] bytes = new byte[octets.length];
    for (int index = 0; index < octets.length; index++) {
      bytes[octets.length - 1 - index] = (byte) Integer.parseInt(octets[index]);
    }
    return HexFormat.of().withUpperCase().formatHex(bytes);
  }

  private static Optional<Owner> holder(String inode) {
    String target = "socket:[" + inode + "]";
    for (long pid : ProcessTree.allProcesses()) {
      if (holds(pid, target)) {
        Optional<Run> run =
            Keeper.livingOwners(pid).stream()
                .findFirst()
                .map(owner -> new Run(owner, command(owner)));
        return Optional.of(new Owner(pid, command(pid), trial(pid), run));
      }
    }
    return Optional.empty();
  }

  private static boolean holds(long pid, String target) {
    return sockets(pid).contains(target);
  }

  /** The names of the open files of a process, those of sockets among them. */
  private static Set<String> sockets(long pid) {
    Set<String> sockets = new HashSet<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
      for (Path file : files) {
        target(file).ifPresent(sockets::add);
      }
    } catch (IOException | DirectoryIteratorException e) {
      return sockets; // it ended, or is another user's
    }
    return sockets;
  }

  /** The name of an open file; empty if it was closed meanwhile, which ends no other. */
  private static Optional<String> target(Path file) {
    try {
      return Optional.of(Files.readSymbolicLink(file).toString());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static String command(long pid) {
    String command = read(pid, "cmdline").replace('\0', ' ').strip();
    return command.length() > LONGEST_COMMAND
        ? command.substring(0, LONGEST_COMMAND) + "..."
        : command;
  }

  private static Optional<String> trial(long pid) {
    for (String variable : read(pid, "environ").split("\0", -1)) {
      if (variable.startsWith(Supervisor.MARK + "=")) {
        return Optional.of(variable.substring(Supervisor.MARK.length() + 1));
      }
    }
    return Optional.empty();
  }

  private static String read(long pid, String file) {
    try {
      return new String(
          Files.readAllBytes(Path.of("/proc", Long.toString(pid), file)), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
