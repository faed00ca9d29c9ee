package org.terrace.nodes;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/**
 * The owner of all processes of one trial, which starts them and answers for their end: by {@link
 * #close}, and by a keeper when this process dies before. Each node is started in a session of its
 * own, so that a Ctrl-C at the terminal reaches only the runner. Thread-safe.
 */
public final class Supervisor implements AutoCloseable {
  /** The variable in the environment of every process of a trial, with the trial's name. */
  static final String MARK = "TERRACE_TRIAL";

  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  private final Path directory;
  private final String mark;
  private final TimeSource time;
  private final LocalHost local;
  private final List<Node> nodes = new ArrayList<>();
  private boolean closed;

  /**
   * A supervisor without nodes.
   *
   * @param directory where the logs go; it exists
   * @param mark a word that no other trial has, put into the environment of every node
   */
  public Supervisor(Path directory, String mark, TimeSource time) {
    this.directory = directory;
    this.mark = mark;
    this.time = time;
    this.local = new LocalHost();
  }

  /** Starts a node on this machine without waiting for it to become ready. */
  public Node start(NodeSpecification specification) {
    return start(specification, local);
  }

  /** Starts a node on a host without waiting for it to become ready. */
  public Node start(NodeSpecification specification, Host host) {
    requireOpen();
    Map<String, String> environment = new HashMap<>(specification.environment());
    environment.put(MARK, mark);
    Launch launch =
        new Launch(
            specification.name(),
            specification.command(),
            environment,
            specification.workingDirectory(),
            specification.forks());
    Process process;
    try {
      process = host.start(launch);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          specification.name() + " cannot be started: " + e.getMessage(),
          e);
    }
    NodeLog log = new NodeLog(directory.resolve(specification.name() + ".log"));
    Node node = new Node(specification, host, process, log, time);
    if (!added(node)) {
      host.kill(process, specification.forks());
      throw ending();
    }
    return node;
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw ending();
    }
  }

  /**
   * Takes a node in, unless all end already. Its host was asked without a lock, since another's
   * answer may be long in coming.
   */
  private synchronized boolean added(Node node) {
    return !closed && nodes.add(node);
  }

  private static TerraceException ending() {
    return new TerraceException(ErrorCode.CHECK_FAILED, "the trial is ending: nothing starts now");
  }

  /** Waits until a node accepts work. */
  public void awaitReady(Node node) throws InterruptedException {
    node.awaitReady();
  }

  /** Runs a program on this machine to its end. */
  public void run(NodeSpecification specification, Duration within) throws InterruptedException {
    run(specification, local, within);
  }

  /** Runs a program on a host to its end. */
  public void run(NodeSpecification specification, Host host, Duration within)
      throws InterruptedException {
    Node node = start(specification, host);
    if (!node.endsWithin(within)) {
      node.kill();
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          specification.name()
              + " took more than "
              + within.toSeconds()
              + " s; see "
              + node.logFile());
    }
    int status = node.exit().join().status();
    if (status != 0) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          specification.name()
              + " failed with exit status "
              + status
              + "; the end of its log "
              + node.logFile()
              + ":\n"
              + node.logTail());
    }
  }

  /** Removes an empty directory, such as a control group, when the trial ends. */
  public void removeAtEnd(Path emptyDirectory) {
    local.removeAtEnd(emptyDirectory);
  }

  /** Every node that was started, in that order. */
  public synchronized List<Node> nodes() {
    return List.copyOf(nodes);
  }

  /**
   * Ends all nodes, the last one started first, and the keeper. May be called again. A node that
   * its host does not end keeps none of the others.
   *
   * @throws TerraceException afterwards, if a host could not end one
   */
  @Override
  public void close() {
    List<Node> ending;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      ending = new ArrayList<>(nodes);
    }
    boolean interrupted = Thread.interrupted();
    TerraceException refused = null;
    for (Node node : ending.reversed()) {
      try {
        node.stop(STOP_WITHIN);
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (TerraceException e) {
        refused = e;
        interrupted |= Thread.interrupted();
      }
    }
    local.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (refused != null) {
      throw refused;
    }
  }
}
