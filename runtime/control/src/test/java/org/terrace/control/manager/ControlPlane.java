package org.terrace.control.manager;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.terrace.control.naming.NamingProcess;

/** Naming services and managers as processes of a test, all ended at the end. */
public final class ControlPlane implements AutoCloseable {
  private final Path directory;
  private final List<String> secretFlags;
  private final Processes processes = new Processes();

  /** A control plane without processes yet, whose files are in that directory. */
  public ControlPlane(Path directory) {
    this.directory = directory;
    this.secretFlags = List.of();
  }

  /** The same, whose processes share the secret in a file. */
  public ControlPlane(Path directory, Path secretFile) {
    this.directory = directory;
    this.secretFlags = List.of("--secret-file", secretFile.toString());
  }

  /** Its processes. */
  public Processes processes() {
    return processes;
  }

  /** Starts naming processes at fixed ports and gives their addresses. */
  public String startNaming(int number) throws Exception {
    List<String> addresses = addresses("127.23.0.1", number);
    for (int i = 0; i < number; i++) {
      List<String> others = new ArrayList<>(addresses);
      others.remove(i);
      String name = "naming" + (i + 1);
      List<String> command =
          Processes.java(
              NamingProcess.class,
              "--listen",
              addresses.get(i),
              "--peers",
              String.join(",", others),
              "--directory",
              directory.resolve(name).toString());
      command.addAll(secretFlags);
      processes.start(name, command, directory.resolve(name + ".log"));
    }
    return String.join(",", addresses);
  }

  /** Ends the only naming process, deletes what it stored, and starts it again as it was. */
  public void loseAllNames() throws Exception {
    processes.kill(processes.named("naming1"));
    try (Stream<Path> files = Files.list(directory.resolve("naming1"))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    processes.killAndStart("naming1");
  }

  /** Starts managers of a service of two replicas, each run by that main class. */
  public void startManagers(
      String naming, int number, String service, Class<?> replica, String... more)
      throws Exception {
    startManagers(naming, number, service, replica, List.of(), List.of(more));
  }

  /**
   * Starts managers of a service of two replicas.
   *
   * @param arguments of the replicas' main class, after name, address and managers
   * @param more flags of the managers
   */
  public void startManagers(
      String naming,
      int number,
      String service,
      Class<?> replica,
      List<String> arguments,
      List<String> more)
      throws Exception {
    Path replicas = Files.createDirectories(directory.resolve("replicas"));
    String managers = String.join(",", addresses("127.23.0.2", number));
    List<String> command = Processes.java(replica, "{name}", "{address}", managers);
    command.addAll(arguments);
    for (int i = 0; i < number; i++) {
      String name = "manager" + (i + 1);
      List<String> manager =
          Processes.java(
              ManagerProcess.class,
              "--managers",
              managers,
              "--rank",
              Integer.toString(i),
              "--naming",
              naming,
              "--service",
              service,
              "--degree",
              "2",
              "--host",
              "127.23.0.3",
              "--directory",
              replicas.toString(),
              "--command",
              String.join(" ", command));
      manager.addAll(more);
      manager.addAll(secretFlags);
      processes.start(name, manager, directory.resolve(name + ".log"));
    }
  }

  /** Addresses with ports that were free just now. */
  private static List<String> addresses(String host, int number) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(host, 0));
        addresses.add(host + ":" + probe.getLocalPort());
      }
    }
    return addresses;
  }

  @Override
  public void close() {
    processes.close();
  }
}
