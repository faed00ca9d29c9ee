package org.terrace.control.manager;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ControlSecret;
import org.terrace.control.launcher.Launcher;
import org.terrace.control.link.Attendance;
import org.terrace.control.link.Link;
import org.terrace.control.link.LinkServer;
import org.terrace.control.naming.Registrar;
import org.terrace.control.naming.Registration;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.Endpoint;

/**
 * A replication manager at work: gives its core events, one at a time on one thread, and does what
 * the core wants. Changes of names run on a thread of their own, as they wait for the network.
 */
final class ManagerServer implements AutoCloseable {
  private static final int EVENTS_MAX = 100_000;
  private static final long NAMING_MILLIS = 1_000;

  /** A manager that has not judged anybody for so long says no more that it is alive. */
  private static final long STANDSTILL_NANOS = 1_000_000_000;

  /** The period in which replicas are told that the manager is there. */
  private static final long PRESENCE_NANOS = 1_000_000_000;

  /** After so many the journal is spared; they are counted all the same. */
  private static final long REFUSALS_TOLD = 100;

  private final ManagerCore core;
  private final ManagerOptions options;
  private final Launcher launcher;
  private final Registrar registrar;
  private final Consumer<String> journal;
  private final TimeSource time = TimeSource.system();
  private final BlockingQueue<Runnable> tasks = new ArrayBlockingQueue<>(EVENTS_MAX);
  private final BlockingQueue<ManagerEffect> namingTasks = new LinkedBlockingQueue<>();
  private final Map<String, Link> replicas = new ConcurrentHashMap<>();
  private final Map<String, Link> peersConnected = new ConcurrentHashMap<>();
  private final List<PeerLink> peers = new ArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ControlSecret secret;
  private final LinkServer server;
  private final Attendance attendance;
  private final AtomicLong refusedFrames = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile long term;
  private volatile int livePeers;
  private volatile long tickedNanos;

  /**
   * Opens a manager.
   *
   * @param server gives the server once there is something to handle its connections
   * @param secret of all who talk to it
   * @param others where the other managers listen
   */
  ManagerServer(
      Function<LinkServer.Handler, LinkServer> server,
      ControlSecret secret,
      Function<InetSocketAddress, ManagerOptions> options,
      List<InetSocketAddress> others,
      Function<Consumer<Registration>, Registrar> registrar,
      Launcher launcher,
      Consumer<String> journal) {
    this.launcher = launcher;
    this.journal = journal;
    this.secret = secret;
    this.server = server.apply(this::serve);
    this.options = options.apply(this.server.address());
    this.core = new ManagerCore(this.options, time.elapsedNanos());
    this.tickedNanos = time.elapsedNanos();
    this.registrar = registrar.apply(value -> submit(new ManagerEvent.Stored(value, false)));
    this.attendance =
        new Attendance(
            "managers",
            others.size() + 1,
            Math.min(2, others.size() + 1),
            "nobody takes over from this one",
            journal);
    if (others.isEmpty()) {
      journal.accept("no other managers were named (--managers): nobody takes over from this one");
    }
    String self = this.options.self().replica();
    others.forEach(other -> peers.add(new PeerLink(other, secret, self)));
    Thread.ofPlatform().daemon().name("manager").start(this::run);
    Thread.ofPlatform().daemon().name("manager-naming").start(this::runNaming);
    Thread.ofPlatform().daemon().name("manager-heartbeats").start(this::beat);
  }

  InetSocketAddress address() {
    return server.address();
  }

  /**
   * The number of frames that were too long, no message, one that only a manager sends, or of
   * somebody who does not have the secret.
   */
  long refusedFrames() {
    return refusedFrames.get();
  }

  /** Runs a question on the thread of the core. */
  <T> CompletableFuture<T> ask(Function<ManagerCore, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    tasks.add(() -> {
      try {
        answer.complete(question.apply(core));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    });
    return answer;
  }

  /** Hands an event to the core. */
  void submit(ManagerEvent event) {
    if (!tasks.offer(() -> step(event)) && closed.getCount() > 0) {
      journal.accept("the queue of events is full: dropped " + event);
    }
  }

  private void run() {
    long tickNanos = options.tick().toNanos();
    long nextTickNanos = time.elapsedNanos();
    try {
      while (closed.getCount() > 0) {
        Runnable task =
            tasks.poll(Math.max(0, nextTickNanos - time.elapsedNanos()), TimeUnit.NANOSECONDS);
        if (task != null) {
          endure(task);
        }
        if (time.elapsedNanos() >= nextTickNanos && tasks.isEmpty()) {
          if (endure(() -> step(new ManagerEvent.Tick()))) {
            tickedNanos = time.elapsedNanos();
          }
          nextTickNanos = time.elapsedNanos() + tickNanos;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs what others depend on going on after it, whatever it throws; whether it threw nothing. */
  private boolean endure(Runnable task) {
    try {
      task.run();
      return true;
    } catch (RuntimeException | Error e) {
      failed(e);
      return false;
    }
  }

  private void failed(Throwable failure) {
    if (failures.incrementAndGet() <= REFUSALS_TOLD) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      journal.accept("failed, and goes on: " + trace);
    }
  }

  /** The number of times that an event, a change or its consequence has failed. */
  long failures() {
    return failures.get();
  }

  private void step(ManagerEvent event) {
    for (ManagerEffect effect : core.step(time.elapsedNanos(), event)) {
      perform(effect);
    }
    term = core.knownTerm();
    livePeers = core.livePeers();
  }

  private void perform(ManagerEffect effect) {
    switch (effect) {
      case ManagerEffect.Change change -> namingTasks.add(change);
      case ManagerEffect.Read read -> namingTasks.add(read);
      case ManagerEffect.Announce(Registration chosen) -> registrar.announce(chosen);
      case ManagerEffect.Launch(String service, String replica) -> {
        journal.accept("launch " + replica);
        Thread.ofVirtual()
            .start(() ->
                launcher.launch(
                    service,
                    replica,
                    ended -> {
                      journal.accept(replica + " " + ended.reason());
                      submit(new ManagerEvent.ProcessEnded(service, replica));
                    }));
      }
      case ManagerEffect.Kill(String replica, long pid) -> launcher.kill(replica, pid);
      case ManagerEffect.Disconnect(String replica) -> disconnect(replica);
      case ManagerEffect.Tell(String replica, var reference) ->
          send(replica, new ManagerMessage.Assigned(reference));
      case ManagerEffect.AskDrain(String replica) -> send(replica, new ManagerMessage.Drain());
      case ManagerEffect.Journal(String line) -> journal.accept(line);
    }
  }

  private void send(String replica, ManagerMessage message) {
    Link link = replicas.get(replica);
    if (link != null) {
      link.send(ManagerMessage.encode(message));
    }
  }

  private void disconnect(String replica) {
    Link link = replicas.get(replica);
    if (link != null) {
      link.close();
    }
  }

  private void runNaming() {
    try {
      while (closed.getCount() > 0) {
        ManagerEffect task = namingTasks.take();
        switch (task) {
          case ManagerEffect.Change change -> answer(change.wanted().service(), ask(change));
          case ManagerEffect.Read(String name) -> answer(name, ask(task));
          case ManagerEffect other -> throw new IllegalStateException("no change: " + other);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Asks the naming service; a failure to ask counts as a question that nobody answered, which is
   * asked again.
   */
  private Registrar.Result ask(ManagerEffect task) throws InterruptedException {
    try {
      return switch (task) {
        case ManagerEffect.Change(Registration wanted, long replaced) ->
            registrar.change(wanted, replaced, NAMING_MILLIS);
        case ManagerEffect.Read(String name) -> registrar.read(name, NAMING_MILLIS);
        case ManagerEffect other -> throw new IllegalStateException("no change: " + other);
      };
    } catch (RuntimeException | Error e) {
      failed(e);
      return new Registrar.Result.Unknown();
    }
  }

  private void answer(String name, Registrar.Result result) {
    submit(
        switch (result) {
          case Registrar.Result.Present(Registration value) -> new ManagerEvent.Stored(value, true);
          case Registrar.Result.Absent() ->
              new ManagerEvent.Absent(name, TimeUnit.NANOSECONDS.toMillis(time.epochNanos()));
          case Registrar.Result.Unknown() -> new ManagerEvent.Unanswered(name);
        });
  }

  private void serve(Socket socket) throws IOException {
    try (Link link = Link.accept(socket, secret)) {
      serve(link);
    } catch (MalformedDataException | ProtocolException e) {
      if (refusedFrames.incrementAndGet() <= REFUSALS_TOLD) {
        journal.accept(
            "refused a frame of " + socket.getRemoteSocketAddress() + ": " + e.getMessage());
      }
    }
  }

  private void serve(Link link) throws IOException {
    @Nullable String replica = null;
    @Nullable String peer = null;
    try {
      while (closed.getCount() > 0) {
        switch (ManagerMessage.decode(link.receive())) {
          case ManagerMessage.ReplicaHello(String service, Endpoint endpoint, long pid) -> {
            replica = endpoint.replica();
            replicas.put(replica, link);
            submit(new ManagerEvent.ReplicaUp(service, endpoint, pid));
          }
          case ManagerMessage.PeerHello(String manager) -> {
            peer = manager;
            peersConnected.put(manager, link);
            submit(new ManagerEvent.PeerUp(manager));
          }
          case ManagerMessage.Starting(String name) ->
              submit(new ManagerEvent.ReplicaStarting(name));
          case ManagerMessage.Beat(long known) -> beaten(replica, peer, known);
          case ManagerMessage.Drained() -> {
            if (replica != null) {
              submit(new ManagerEvent.ReplicaDrained(replica));
            }
          }
          case ManagerMessage.Assigned ignored ->
              throw new MalformedDataException("only a manager assigns");
          case ManagerMessage.Drain ignored ->
              throw new MalformedDataException("only a manager has replicas drained");
        }
      }
    } finally {
      // One that has connected again since is there, whatever became of its earlier connection.
      if (replica != null && replicas.remove(replica, link)) {
        submit(new ManagerEvent.ReplicaLost(replica));
      }
      if (peer != null && peersConnected.remove(peer, link)) {
        submit(new ManagerEvent.PeerLost(peer));
      }
    }
  }

  private void beaten(@Nullable String replica, @Nullable String peer, long known) {
    if (replica != null) {
      submit(new ManagerEvent.ReplicaBeat(replica, known));
    }
    if (peer != null) {
      submit(new ManagerEvent.PeerBeat(peer, known));
    }
  }

  /** A manager that stands still is not alive to the others, so that one of them leads. */
  private void beat() {
    attend();
    byte[] presence = ManagerMessage.encode(new ManagerMessage.Beat(0));
    long presentNanos = time.elapsedNanos();
    try {
      while (!closed.await(
          options.detector().heartbeatPeriod().toMillis(), TimeUnit.MILLISECONDS)) {
        if (time.elapsedNanos() - presentNanos >= PRESENCE_NANOS) {
          presentNanos = time.elapsedNanos();
          attend();
          replicas.values().forEach(link -> link.send(presence));
        }
        if (time.elapsedNanos() - tickedNanos < STANDSTILL_NANOS) {
          peers.forEach(peer -> peer.beat(term));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Says how many managers are there, where there is to be more than one: those that are heard, as
   * the connections of one that stands still, or whose host vanished, may last.
   */
  private void attend() {
    if (attendance.expected() > 1) {
      attendance.seen(1 + livePeers);
    }
  }

  /** The managers that are there, of those that were named. */
  Attendance attendance() {
    return attendance;
  }

  @Override
  public void close() {
    closed.countDown();
    peers.forEach(PeerLink::close);
    server.close();
    registrar.close();
    try {
      launcher.close();
    } catch (TerraceException e) {
      journal.accept(e.getMessage());
    }
  }
}
