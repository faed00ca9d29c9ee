package org.terrace.control.launcher;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * Starts replicas as processes of this machine. Managers that share a directory share the care of
 * their replicas: a replica outlives the manager that started it as long as another manager of the
 * directory lives, and ends with the last of them, even if that one is killed.
 *
 * <p>Each manager has a keeper, a shell in a session of its own that reads a pipe from it; see the
 * script. What a replica prints goes to {@code directory/NAME.log}. Thread-safe; Linux only.
 */
public final class LocalLauncher implements Launcher {
  private static final long KEEPER_SECONDS = 10;

  private final Path directory;
  private final Path mark;
  private final Function<String, CommandTemplate> commands;
  private final String host;
  private final Process keeper;
  private final BufferedWriter lines;
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
    this.host = host;
    this.archives =
        archives.map(path -> new StartArchives(path, this::watch, this::unwatch)).orElse(null);
    long self = ProcessHandle.current().pid();
    this.mark = this.directory.resolve("managers").resolve(Long.toString(self));
    try {
      Files.createDirectories(mark.getParent());
      Files.writeString(mark, startTicks(self) + "\n");
      keeper =
          new ProcessBuilder("setsid", "sh", "-c", script(), "keeper", this.directory.toString())
              .directory(Path.of("/").toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      lines = keeper.outputWriter(StandardCharsets.UTF_8);
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
  }

  private static String script() {
    try (InputStream stream = LocalLauncher.class.getResourceAsStream("keeper.sh")) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The start time of a process in clock ticks: with its number, what tells it from all others. */
  private static String startTicks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
    return fields.get(19);
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
          new ProcessBuilder(archives == null ? words : archives.with(words))
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(directory.resolve(replica + ".log").toFile())
              .start();
      running.put(replica, process);
      watch(process);
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
      unwatch(process);
      ended.accept(new Ended(service, replica, "ended with status " + status));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch(Process process) {
    try {
      tellKeeper("add " + process.pid() + " " + startTicks(process.pid()));
    } catch (IOException e) {
      // It has ended already, and needs no keeper.
      assert !process.isAlive() || e.getMessage() != null;
    }
  }

  private void unwatch(Process process) {
    tellKeeper("remove " + process.pid());
  }

  private void tellKeeper(String line) {
    synchronized (lines) {
      try {
        lines.write(line + "\n");
        lines.flush();
      } catch (IOException e) {
        System.err.println("launcher: the keeper, process " + keeper.pid() + ", is gone");
      }
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
          process.waitFor(KEEPER_SECONDS, TimeUnit.SECONDS);
        }
      }
      synchronized (lines) {
        lines.close();
      }
    } catch (IOException e) {
      keeper.destroy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
      return startTicks(pid).equals(Files.readString(other).strip());
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }
}
