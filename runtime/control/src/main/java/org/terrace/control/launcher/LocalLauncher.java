package org.terrace.control.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.terrace.control.naming.Addresses;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.Keeper;

/**
 * A launcher of replicas as processes of this machine. Managers that share a directory share the
 * care of their replicas: a replica outlives the manager that started it as long as another manager
 * of the directory lives, and ends with the last of them, even if that one is killed.
 *
 * <p>Each manager has a {@link Keeper} that waits for the others of the directory. What a replica
 * prints goes to {@code directory/NAME.log}. Thread-safe; Linux only.
 */
public final class LocalLauncher implements Launcher {
  private static final long END_SECONDS = 10;

  private final Path directory;
  private final Path mark;
  private final Function<String, CommandTemplate> commands;
  private final String host;
  private final Keeper keeper;
  private final Map<String, Process> running = new ConcurrentHashMap<>();
  private final @Nullable StartArchives archives;
  private volatile boolean closed;

  /** A launcher without archives of classes. */
  public LocalLauncher(Path directory, String host, Function<String, CommandTemplate> commands) {
    this(directory, host, commands, Optional.empty());
  }

  /**
   * A launcher.
   *
   * @param directory for logs, shared by the managers of this machine
   * @param host the address that replicas listen at
   * @param commands the command of each service
   * @param archives where archives of the classes that replicas load are kept, which make the next
   *     start cheaper; nobody else may write there. Empty: there are none.
   */
  public LocalLauncher(
      Path directory,
      String host,
      Function<String, CommandTemplate> commands,
      Optional<Path> archives) {
    this.directory = directory.toAbsolutePath();
    this.commands = commands;
    this.host = Addresses.bracketed(host);
    long self = ProcessHandle.current().pid();
    Path managers = this.directory.resolve("managers");
    this.mark = managers.resolve(Long.toString(self));
    try {
      Files.createDirectories(managers);
      Files.writeString(mark, Keeper.startTicks(self) + "\n");
      keeper = Keeper.start();
      keeper.waitForHolders(managers);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the launcher cannot work in "
              + directory
              + " ("
              + e.getMessage()
              + "); it needs a directory to write to, /proc, and the commands setsid and sh",
          e);
    }
    this.archives = archives.map(path -> new StartArchives(path, keeper)).orElse(null);
  }

  @Override
  public void launch(String service, String replica, Consumer<Ended> ended) {
    if (closed) {
      return;
    }
    try {
      CommandTemplate template = commands.apply(service);
      List<String> words = template.fill(replica, host + ":0");
      Process process =
          keeper.start(
              new ProcessBuilder(archives == null ? words : archives.with(words))
                  .redirectErrorStream(true)
                  .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                  .redirectOutput(directory.resolve(replica + ".log").toFile()));
      running.put(replica, process);
      if (archives != null) {
        String name = service + "-training";
        archives.makeSoon(template.fill(name, host + ":0"), directory.resolve(name + ".log"));
      }
      Thread.ofVirtual()
          .name("end-of-" + replica)
          .start(() -> awaitEnd(service, replica, process, ended));
    } catch (IOException | TerraceException e) {
      ended.accept(new Ended(service, replica, "could not be started: " + e.getMessage()));
    }
  }

  private void awaitEnd(String service, String replica, Process process, Consumer<Ended> ended) {
    try {
      int status = process.waitFor();
      running.remove(replica, process);
      ended.accept(new Ended(service, replica, "ended with status " + status));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void kill(String replica, long pid) {
    Process own = running.get(replica);
    if (own != null) {
      own.destroyForcibly();
    } else if (pid > 1 && isReplica(replica, pid)) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** Whether a process names the replica on its command line: numbers are given anew in time. */
  private static boolean isReplica(String replica, long pid) {
    try {
      String commandLine = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
      return List.of(commandLine.split("[\0= ]")).contains(replica);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    if (archives != null) {
      archives.close();
    }
    try {
      Files.deleteIfExists(mark);
      if (!othersAreLeft()) {
        running.values().forEach(Process::destroyForcibly);
        for (Process process : running.values()) {
          process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        }
      }
    } catch (IOException e) {
      // The keeper looks at the directory for itself.
      closed = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      keeper.release();
    }
  }

  private boolean othersAreLeft() throws IOException {
    try (var marks = Files.list(Objects.requireNonNull(mark.getParent()))) {
      return marks.anyMatch(LocalLauncher::isAlive);
    }
  }

  private static boolean isAlive(Path other) {
    try {
      long pid = Long.parseLong(Objects.requireNonNull(other.getFileName()).toString());
      return Long.toString(Keeper.startTicks(pid)).equals(Files.readString(other).strip());
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }
}
