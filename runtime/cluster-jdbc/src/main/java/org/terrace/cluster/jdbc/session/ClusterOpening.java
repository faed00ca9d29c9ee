package org.terrace.cluster.jdbc.session;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.lease.ClusterLease;
import org.terrace.cluster.jdbc.recovery.CatchUp;
import org.terrace.cluster.jdbc.recovery.DonorCopy;
import org.terrace.cluster.jdbc.recovery.Replayer;
import org.terrace.cluster.jdbc.recovery.ReturnRefusedException;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;
import org.terrace.cluster.jdbc.settings.MembershipSource;
import org.terrace.cluster.server.copy.CopyGate;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.memory.MembershipTable;
import org.terrace.cluster.server.memory.MemoryAgreement;
import org.terrace.cluster.server.memory.Openings;
import org.terrace.cluster.server.memory.ReplicaMemory;
import org.terrace.cluster.server.memory.ServerList;
import org.terrace.recovery.log.RecoveryLog;
import org.terrace.recovery.log.RecoveryLogOptions;

/**
 * The opening of a cluster: who answers, who owns it, what each server lacks, and who takes part.
 * Confined to one thread.
 */
final class ClusterOpening {
  private final ClusterConfiguration configuration;
  private final EngineDialect dialect;
  private final List<ReplicaServer> replicas = new ArrayList<>();
  private final List<ReplicaServer> members = new ArrayList<>();
  private final Map<Integer, String> out = new TreeMap<>();
  private Greetings greetings;
  private ClusterLease lease;
  private @Nullable RecoveryLog log;
  private long lastPosition;
  private long view;
  private ServerList servers = ServerList.UNCHANGED;

  private ClusterOpening(ClusterConfiguration configuration, String owner) throws SQLException {
    this.configuration = configuration;
    this.dialect = EngineDialect.of(configuration.engine());
    for (int i = 0; i < configuration.replicas().size(); i++) {
      replicas.add(new ReplicaServer(i, configuration));
    }
    this.greetings = Greetings.of(replicas, dialect);
    checkEnoughAnswer();
    greetings.checkVersions();
    try {
      if (hasLog()) {
        // Who has it open leads, or is about to: nobody else takes anything from them.
        openLog();
      }
      this.lease =
          ClusterLease.take(
              configuration, List.copyOf(greetings.reached().keySet()), owner, logName());
    } catch (IOException e) {
      throw unusableLog(e);
    } catch (SQLException | RuntimeException e) {
      closeLog(e);
      throw e;
    }
  }

  private boolean hasLog() throws IOException {
    return !configuration.log().isEmpty() && RecoveryLog.isIn(Path.of(configuration.log()));
  }

  private SQLException unusableLog(IOException cause) {
    return new SQLException(
        "The recovery log of the directory %s cannot be used: %s"
            .formatted(configuration.log(), cause.getMessage()),
        SqlStates.CANNOT_CONNECT,
        cause);
  }

  /** Opens: takes the ownership, brings everyone to the same, and has them remember it. */
  static ClusterOpening of(ClusterConfiguration configuration) throws SQLException {
    ClusterOpening opening = new ClusterOpening(configuration, ownerName());
    try {
      // What the owner before committed last is seen only now.
      opening.greetAgain(List.copyOf(opening.greetings.reached().keySet()));
      opening.checkServers();
      opening.gather();
      return opening;
    } catch (SQLException | RuntimeException e) {
      opening.abandon(e);
      throw e;
    }
  }

  /** The name by which another process is told who owns the cluster. */
  private static String ownerName() {
    String host = Optional.ofNullable(System.getenv("HOSTNAME")).orElse("this host");
    return "process %d of %s (%s)"
        .formatted(
            ProcessHandle.current().pid(), host, UUID.randomUUID().toString().substring(0, 8));
  }

  /** Refuses servers that are not those of the cluster, as it was changed while it was open. */
  private void checkServers() throws SQLException {
    MembershipTable table = new MembershipTable(dialect);
    for (ReplicaServer replica : greetings.reached().keySet()) {
      try (Connection connection = replica.ask()) {
        servers = servers.later(table.read(connection));
      }
    }
    List<String> named = named();
    if (servers.agrees(named)) {
      return;
    }
    if (configuration.membership() == MembershipSource.REMEMBERED) {
      throw cannot(
          "its servers were changed while it was open: they are %s now, and the URL names %s. Name those, or say membership=url if the URL is right"
              .formatted(String.join(",", servers.servers()), String.join(",", named)));
    }
    servers = new ServerList(servers.number() + 1, named);
  }

  private void greetAgain(List<ReplicaServer> reached) throws SQLException {
    greetings.missing().forEach((replica, reason) -> out.put(replica.number(), reason));
    greetings = Greetings.of(reached, dialect);
    greetings.missing().forEach((replica, reason) -> out.put(replica.number(), reason));
    members.removeAll(greetings.missing().keySet());
    checkEnoughAnswer();
  }

  private void checkEnoughAnswer() throws SQLException {
    boolean enough = greetings.reached().size() >= configuration.minimumReplicas();
    if (!enough && !greetings.missing().isEmpty()) {
      Map.Entry<ReplicaServer, String> first = greetings.missing().entrySet().iterator().next();
      throw cannot(
          "its server %s does not answer (%s), and at least %d are needed: start it, or leave it out of the URL"
              .formatted(first.getKey().name(), first.getValue(), configuration.minimumReplicas()));
    }
  }

  private static SQLException cannot(String reason) {
    return new SQLException(
        "The cluster cannot be opened because " + reason + ".", SqlStates.CANNOT_CONNECT);
  }

  private void gather() throws SQLException {
    lastPosition =
        greetings.memories().values().stream().mapToLong(ReplicaMemory::last).max().orElse(0);
    view =
        Openings.firstViewAfter(
            greetings.memories().values().stream().mapToLong(ReplicaMemory::view).max().orElse(0));
    try {
      if (hasLog()) {
        catchUp(openLog());
        leaveOutUnsure();
      } else {
        agree();
        leaveOutUnsure();
        // A log that no server knows would keep the next opening from going on.
        greetings.checkSchemas(members);
        if (!configuration.log().isEmpty()) {
          openLog();
        }
      }
    } catch (IOException e) {
      throw unusableLog(e);
    }
    greetings.checkSchemas(members);
    List<String> names = members.stream().map(ReplicaServer::name).toList();
    RecoveryLog opened = log;
    long floor = opened == null ? lastPosition : CatchUp.floorBelowEnd(opened, lastPosition);
    for (ReplicaServer member : members) {
      try (Connection connection = member.ask()) {
        long epoch = lease.epochAt(member.number());
        if (!lease.tables().recordView(connection, epoch, view, names, logName())
            || !lease.tables().renew(connection, epoch, floor)) {
          throw cannot(
              "its server %s was taken by %s meanwhile"
                  .formatted(member.name(), lease.tables().read(connection).owner()));
        }
        if (servers.number() > 0) {
          new MembershipTable(dialect).record(connection, epoch, servers);
        }
      }
    }
  }

  private RecoveryLog openLog() throws IOException {
    RecoveryLog opened = log;
    if (opened == null) {
      opened =
          RecoveryLog.open(
              RecoveryLogOptions.in(Path.of(configuration.log())),
              lastPosition,
              Openings.identityOfLog(view, UUID.randomUUID()));
      log = opened;
    }
    return opened;
  }

  private void agree() throws SQLException {
    Set<String> worthless = new TreeSet<>();
    greetings
        .reached()
        .forEach((replica, said) -> {
          if (DonorCopy.isBegun(said.memory()) || said.schema().lines().isEmpty()) {
            worthless.add(replica.name());
          }
        });
    MemoryAgreement agreement = MemoryAgreement.of(named(), greetings.memories(), worthless);
    if (agreement.refusal() != null) {
      throw cannot(agreement.refusal());
    }
    for (ReplicaServer replica : greetings.reached().keySet()) {
      String reason = agreement.out().get(replica.name());
      if (reason == null) {
        members.add(replica);
      } else {
        out.put(replica.number(), reason);
      }
    }
  }

  /**
   * Goes on without those that may differ by a definition that was undone, or is not known to be
   * done: all but those that were at none and have the lineage of who was active last. If all were
   * at one, the first counts, as nobody was told what came of it.
   */
  private void leaveOutUnsure() throws SQLException {
    Map<ReplicaServer, String> begun = new TreeMap<>(ReplicaServer.IN_ORDER);
    Map<ReplicaServer, String> lineages = new TreeMap<>(ReplicaServer.IN_ORDER);
    for (ReplicaServer member : members) {
      try (Connection connection = member.ask()) {
        begun.put(member, lease.tables().definition(connection));
        lineages.put(member, lease.tables().lineage(connection));
      }
    }
    ReplicaServer first =
        members.stream()
            .filter(member -> "".equals(begun.get(member)))
            .max(Comparator.comparingLong(member -> greetings.lastView(member)))
            .orElse(members.getFirst());
    if (!"".equals(begun.get(first))) {
      try (Connection connection = first.ask()) {
        lease.settle(connection);
      }
      begun.put(first, "");
    }
    for (ReplicaServer member : List.copyOf(members)) {
      String definition = begun.getOrDefault(member, "");
      boolean same = Objects.equals(lineages.get(member), lineages.get(first));
      if (!definition.isEmpty() || !same) {
        out.put(member.number(), ClusterLease.atDefinition(definition));
        members.remove(member);
      }
    }
  }

  private List<String> named() {
    return replicas.stream().map(ReplicaServer::name).toList();
  }

  private void catchUp(RecoveryLog opened) throws SQLException {
    if (!Openings.tellsBeginning(opened.identity())) {
      throw cannot(
          "the recovery log in %s began under an earlier version, which does not tell what it has for certain. Move the directory away and start all servers that were active last: they go on without it, and the others get a copy of their data"
              .formatted(configuration.log()));
    }
    DonorCopy copy = new DonorCopy(dialect, lease.tables(), configuration.copy(), new CopyGate());
    Map<String, ReplicaMemory> kept = greetings.memories();
    // What those have that go on by a copy when they return is not asked for.
    kept.keySet().removeAll(greetings.copiedInto(copy, opened, named()));
    Optional<String> wentOn =
        MemoryAgreement.wentOnWithoutLog(named(), kept, opened.identity().toString());
    if (wentOn.isPresent()) {
      throw cannot(wentOn.get());
    }
    boolean changed = false;
    for (Map.Entry<ReplicaServer, Greetings.Greeting> one : greetings.reached().entrySet()) {
      ReplicaServer replica = one.getKey();
      Replayer replayer = new Replayer(configuration.engine(), lease, replica.number());
      try (CatchUp catchUp = new CatchUp(replica, one.getValue().memory(), opened, replayer)) {
        catchUp.to(opened.lastIndex());
        if (!catchUp.unknown().isEmpty()) {
          throw cannot(
              "the recovery log in %s lacks transaction %d, which its server %s has: the log lost its end. Move the directory away: servers that are equal then go on without it"
                  .formatted(configuration.log(), catchUp.unknown().first(), replica.name()));
        }
        changed |= catchUp.replayed() > 0;
        members.add(replica);
      } catch (ReturnRefusedException e) {
        out.put(replica.number(), String.valueOf(e.getMessage()));
      }
    }
    if (members.isEmpty()) {
      throw cannot("none of its servers can go on from the recovery log: " + out);
    }
    lastPosition = Math.max(lastPosition, opened.greatest());
    if (changed) {
      greetAgain(List.copyOf(greetings.reached().keySet()));
    }
  }

  private void abandon(Exception cause) {
    for (ReplicaServer replica : greetings.reached().keySet()) {
      try (Connection connection = replica.ask()) {
        lease.tables().release(connection, lease.epochAt(replica.number()));
      } catch (SQLException e) {
        cause.addSuppressed(e);
      }
    }
    closeLog(cause);
  }

  private void closeLog(Exception cause) {
    RecoveryLog opened = log;
    if (opened != null) {
      try {
        opened.close();
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
  }

  private String logName() {
    RecoveryLog opened = log;
    return opened == null ? "" : opened.identity().toString();
  }

  /** The servers as the last change while it was open left them. */
  ServerList servers() {
    return servers;
  }

  List<ReplicaServer> replicas() {
    return replicas;
  }

  /** The numbers of those that take part. */
  List<Integer> members() {
    return members.stream().map(ReplicaServer::number).toList();
  }

  /** The reasons for which the others do not take part, by their numbers. */
  Map<Integer, String> out() {
    return out;
  }

  /** The schema and the memory of one that takes part. */
  Greetings.Greeting greeting() {
    Greetings.Greeting greeting = greetings.reached().get(members.getFirst());
    if (greeting == null) {
      throw new IllegalStateException("a member did not greet");
    }
    return greeting;
  }

  ClusterLease lease() {
    return lease;
  }

  @Nullable RecoveryLog log() {
    return log;
  }

  long lastPosition() {
    return lastPosition;
  }

  long view() {
    return view;
  }
}
