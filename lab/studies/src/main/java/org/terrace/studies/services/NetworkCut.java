package org.terrace.studies.services;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.terrace.capture.CaptureNamespace;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.fault.PacketRules;

/**
 * The cut of processes off the network of this run: every packet from or to a port that the process
 * has at that moment is dropped without a word, so that nobody sees an end of a connection, however
 * the process ends. Only within a network namespace of the run's own. Confined to one thread.
 */
public final class NetworkCut {
  private final Optional<String> obstacle;
  private @Nullable PacketRules rules;

  private NetworkCut(Optional<String> obstacle) {
    this.obstacle = obstacle;
  }

  /** The network that this command is in, if it may be cut. */
  public static NetworkCut ofThisNetwork() {
    if (!CaptureNamespace.isInside()) {
      return new NetworkCut(
          Optional.of(
              "this user may not have a network namespace of their own; see terrace doctor"));
    }
    try {
      PacketRules.ports(PacketRules.NOBODY.server(), Set.of(PacketRules.NOBODY.port())).tryOut();
      return new NetworkCut(Optional.empty());
    } catch (TerraceException e) {
      return new NetworkCut(Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /** The reason for which the network cannot be cut; empty if it can. */
  public Optional<String> obstacle() {
    return obstacle;
  }

  /**
   * Drops what a process sends and is sent, from now on.
   *
   * @throws TerraceException if it has no port that is known, the filter fails, or the cut before
   *     it may still hold
   */
  public void cut(long pid) {
    heal();
    PacketRules cut = PacketRules.ports("process " + pid, requirePorts(pid));
    cut.begin();
    rules = cut;
  }

  /**
   * Ends the cut.
   *
   * @throws TerraceException if packets may still be dropped: what is measured from then on is
   *     nonsense, and neither this nor the next cut returns until they are not
   */
  public void heal() {
    if (rules != null) {
      var _ = rules.end();
      rules = null;
    }
  }

  private static Set<Integer> requirePorts(long pid) {
    String why = "process " + pid + " has no TCP port";
    try {
      Set<Integer> ports = ports(pid);
      if (!ports.isEmpty()) {
        return ports;
      }
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
    }
    throw new TerraceException(ErrorCode.CHECK_FAILED, "the network could not be cut: " + why);
  }

  /** The local ports of a process's TCP sockets, from its open files and the socket tables. */
  private static Set<Integer> ports(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    Set<String> sockets = sockets(process.resolve("fd"));
    Set<Integer> ports = new TreeSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : lines(process.resolve(table))) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields.length > 9 && sockets.contains("socket:[" + fields[9] + "]")) {
          ports.add(Integer.parseInt(fields[1].substring(fields[1].lastIndexOf(':') + 1), 16));
        }
      }
    }
    return ports;
  }

  /** A kernel without a family of addresses has no table of it. */
  private static List<String> lines(Path table) throws IOException {
    return Files.exists(table) ? Files.readAllLines(table) : List.of();
  }

  private static Set<String> sockets(Path descriptors) throws IOException {
    Set<String> sockets = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(descriptors)) {
      for (Path file : files) {
        if (Files.isSymbolicLink(file)) {
          sockets.add(Files.readSymbolicLink(file).toString());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return sockets;
  }
}
