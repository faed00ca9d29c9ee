package org.terrace.nodes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.terrace.core.process.Keeper;
import org.terrace.core.process.ProcessFamily;
import org.terrace.core.process.ProcessTree;
import org.terrace.nodes.NodeSpecification.Readiness;

/**
 * The machine of this process as a host, seen from the network namespace that this process is in. A
 * {@link Keeper} of its own ends what it started when this process dies. Thread-safe.
 */
public final class LocalHost implements Host, AutoCloseable {
  /** The name of the machine that a trial is run from. */
  public static final String NAME = "local";

  private static final int ANSWER_WITHIN_MILLIS = 1_000;

  private final Keeper keeper = Keeper.start();

  /** The processes of those that fork, which may leave some behind. */
  private final Map<Process, ProcessFamily> families = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Process start(Launch launch) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(launch.command());
    builder.directory(launch.directory().toFile());
    builder.environment().putAll(launch.environment());
    builder.redirectErrorStream(true);
    Process process = keeper.startSession(builder);
    if (launch.forks()) {
      families.put(process, new ProcessFamily(process.pid()));
    }
    return process;
  }

  @Override
  public List<Long> members(Process process, boolean forks) {
    return forks ? ProcessTree.members(process.pid()) : List.of(process.pid());
  }

  @Override
  public boolean signal(Process process, boolean forks, Signal signal) {
    boolean any = false;
    for (long member : struck(process, forks, signal)) {
      any |= isOurs(process, member) && Signals.send(member, signal);
    }
    return any;
  }

  /**
   * The processes that a signal is for. Before one that ends the first they are noted, and kept
   * each by itself: what it leaves behind may bear no other sign of whose it is.
   */
  private List<Long> struck(Process process, boolean forks, Signal signal) {
    ProcessFamily family = families.get(process);
    boolean isAlive = process.isAlive();
    List<Long> noted =
        family != null && (!isAlive || signal.ends()) ? family.note(keeper::add) : List.of();
    if (!isAlive) {
      // Its number may be another's by now, whose children are nothing of this host's.
      return forks ? noted : List.of();
    }
    return forks && !noted.isEmpty() ? noted : members(process, forks);
  }

  /** A number that was given to another process since must not be struck. */
  private static boolean isOurs(Process process, long member) {
    return member != process.pid() || process.isAlive();
  }

  @Override
  public void kill(Process process, boolean forks) {
    if (forks && process.isAlive()) {
      Signals.send(process.pid(), Signal.STOP);
    }
    signal(process, forks, Signal.KILL);
  }

  @Override
  public boolean answers(Readiness.Port place) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(place.address(), place.port()), ANSWER_WITHIN_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public boolean answers(Readiness.Http place) {
    return HttpReadiness.answers(place);
  }

  @Override
  public List<String> listening(Process process, boolean forks) {
    return SocketOwner.listening(members(process, forks));
  }

  /** Removes an empty directory, such as a control group, at the end. */
  public void removeAtEnd(Path emptyDirectory) {
    keeper.removeDirectory(emptyDirectory);
  }

  /**
   * Writes a line to a file of the kernel when this process dies, before what was started here is
   * killed.
   */
  public void writeFirstAtEnd(Path file, String line) {
    keeper.writeFirst(file, line);
  }

  /** Gives a file of the kernel back the content that a note has for it, when this process dies. */
  public void restoreAtEnd(Path note) {
    keeper.restore(note);
  }

  /** Ends what is left of what was started here. */
  @Override
  public void close() {
    keeper.close();
  }
}
