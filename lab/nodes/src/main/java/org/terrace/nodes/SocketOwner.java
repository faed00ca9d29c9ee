package org.terrace.nodes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the process that listens at an address, from the socket tables in {@code /proc/net} and the
 * open files of processes. Stateless and thread-safe.
 */
final class SocketOwner {
  private static final String LISTENING = "0A";
  private static final int LONGEST_COMMAND = 200;

  /**
   * A process that listens.
   *
   * @param command its command line, cut
   * @param trial the mark of the trial it was started for; empty when it is of no trial
   */
  record Owner(long pid, String command, Optional<String> trial) {}

  private SocketOwner() {}

  /**
   * The owner that listens at an IPv4 address, itself or at all addresses; empty when it cannot be
   * seen.
   */
  static Optional<Owner> of(String address, int port) {
    return inode(address, port).flatMap(SocketOwner::holder);
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
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      try {
        for (String line : Files.readAllLines(Path.of(table))) {
          String[] fields = line.strip().split("\\s+", -1);
          if (fields.length > 9 && fields[3].equals(LISTENING) && wanted.contains(fields[1])) {
            return Optional.of(fields[9]);
          }
        }
      } catch (IOException e) {
        // A kernel without this family has no such table, and nobody listens there.
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
        return Optional.of(new Owner(pid, command(pid), trial(pid)));
      }
    }
    return Optional.empty();
  }

  private static boolean holds(long pid, String target) {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
      for (Path file : files) {
        if (Files.readSymbolicLink(file).toString().equals(target)) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return false; // it ended, or is another user's
    }
    return false;
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
