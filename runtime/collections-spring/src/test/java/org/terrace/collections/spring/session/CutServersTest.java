package org.terrace.collections.spring.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.session.events.SessionExpiredEvent;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.spring.TwoReplicas;
import org.terrace.core.TimeSource;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.Secret;
import org.terrace.groups.builtin.Groups;

/**
 * Two servers that do not hear each other for a while, as one of them seals with a key that the
 * other does not accept. The visitors are at the other.
 */
@Tag("real-processes")
@Tag("untimed")
class CutServersTest {
  private static final Secret COMMON = secret('c');
  private static final Secret APART = secret('a');

  /**
   * A lifetime after which a session is over where no use is known of for five seconds. A visitor
   * on a busy machine comes again well before.
   */
  private static final Duration SHORT = Duration.ofSeconds(4);

  private final Queue<Object> events = new ConcurrentLinkedQueue<>();
  private final GroupKeys keys = GroupKeys.authenticating(COMMON);
  private Group group;
  private Group otherGroup;
  private ReplicatedCollections collections;
  private ReplicatedCollections otherCollections;
  private TerraceSessionRepository sweeping;
  private TerraceSessionRepository used;

  private static Secret secret(char of) {
    return new Secret(String.valueOf(of).repeat(32).getBytes(StandardCharsets.UTF_8));
  }

  private static Group open(
      String member, OptionalInt told, GroupKeys keys, InetSocketAddress... contacts) {
    GroupOptions options =
        GroupOptions.of("cut-servers", member, Discovery.of(List.of(contacts)))
            .withAddress(InetAddress.ofLiteral("127.67.1.1"), 0)
            .withKeys(keys);
    return Groups.open(told.isPresent() ? options.withExpectedMembers(told.getAsInt()) : options);
  }

  private void open(OptionalInt told) {
    group = open("app1", told, keys);
    otherGroup = open("app2", told, GroupKeys.authenticating(COMMON), group.self().address());
    collections = ReplicatedCollections.open(group, CollectionsOptions.defaults());
    otherCollections = ReplicatedCollections.open(otherGroup, CollectionsOptions.defaults());
    awaitMembers(2);
    sweeping = repository(collections);
    used = repository(otherCollections);
  }

  private TerraceSessionRepository repository(ReplicatedCollections of) {
    TerraceSessionOptions options = TerraceSessionOptions.defaults().withLevel(WriteLevel.ALL);
    return new TerraceSessionRepository(of, "sessions", options, TimeSource.system(), events::add);
  }

  @AfterEach
  void close() {
    used.close();
    sweeping.close();
    otherCollections.close();
    collections.close();
    otherGroup.close();
    group.close();
  }

  private void cut() {
    keys.accept(APART);
    keys.sealWith(APART);
    keys.drop(COMMON);
  }

  private void heal() {
    keys.accept(COMMON);
    keys.sealWith(COMMON);
    keys.drop(APART);
  }

  private void awaitMembers(int members) {
    TwoReplicas.await(
        "views of " + members,
        () ->
            group.view().members().size() == members
                && otherGroup.view().members().size() == members);
  }

  private String saved() {
    TerraceSession session = sweeping.createSession();
    session.setAttribute("name", "ann");
    session.setMaxInactiveInterval(SHORT);
    sweeping.save(session);
    TwoReplicas.await("it is there", () -> used.findById(session.getId()) != null);
    return session.getId();
  }

  /** Waits while the visitor uses his session at the one server and the other one sweeps. */
  private void awaitInUse(String id, String what, BooleanSupplier condition) {
    TwoReplicas.await(
        what,
        () -> {
          TerraceSession session = used.findById(id);
          assertThat(session).as("the visitor's session").isNotNull();
          session.setLastAccessedTime(used.createSession().getLastAccessedTime());
          used.save(session);
          sweeping.sweep();
          return condition.getAsBoolean();
        });
  }

  private void aSessionInUseBeyondACutGoesOn() {
    String id = saved();
    cut();
    awaitInUse(id, "it looks unused", () -> sweeping.findById(id) == null);
    awaitInUse(id, "both are alone", () -> group.view().members().size() == 1);
    sweeping.sweep();
    assertThat(sweeping.sessionCount()).isEqualTo(1);
    assertThat(sweeping.findByPrincipalName("ann")).isEmpty();
    heal();
    awaitInUse(id, "it is found again", () -> sweeping.findById(id) != null);
    assertThat(sweeping.findById(id).<String>getAttribute("name")).isEqualTo("ann");
    assertThat(events).noneMatch(SessionExpiredEvent.class::isInstance);
  }

  private void itEndsOnceNobodyUsesIt() {
    TwoReplicas.await(
        "its end at both",
        () -> {
          sweeping.sweep();
          return sweeping.parts().isEmpty() && used.parts().isEmpty();
        });
    assertThat(events).filteredOn(SessionExpiredEvent.class::isInstance).hasSize(1);
  }

  @Test
  void aSessionInUseBeyondACutGoesOnWhereTheSizeIsTold() {
    open(OptionalInt.of(2));
    aSessionInUseBeyondACutGoesOn();
    itEndsOnceNobodyUsesIt();
  }

  @Test
  void aSessionInUseBeyondACutGoesOnWhereNoSizeIsTold() {
    open(OptionalInt.empty());
    aSessionInUseBeyondACutGoesOn();
    itEndsOnceNobodyUsesIt();
  }

  @Test
  void whatASessionHasIsKeptThoughItsBeginningIsBeyondTheCut() {
    open(OptionalInt.of(2));
    String id = "begun-beyond";
    sweeping
        .parts()
        .put(
            PartKey.attribute(id, "name"),
            new SessionPart.Attribute(used.serialize("name", "ann")));
    cut();
    awaitMembers(1);
    long nowMillis = used.agreedMillis();
    used.parts()
        .put(PartKey.beginning(id), new SessionPart.Beginning(nowMillis, nowMillis, 3_600_000));
    sweeping.sweeper().orphanMillis = 0;
    sweeping.sweep();
    sweeping.sweep();
    heal();
    awaitMembers(2);
    TwoReplicas.await("it is there", () -> sweeping.findById(id) != null);

    assertThat(sweeping.findById(id).<String>getAttribute("name")).isEqualTo("ann");
    assertThat(used.findById(id).<String>getAttribute("name")).isEqualTo("ann");
  }

  @Test
  void whatIsDeletedInACutIsGoneEverywhere() {
    open(OptionalInt.of(2));
    String id = saved();
    cut();
    awaitInUse(id, "both are alone", () -> group.view().members().size() == 1);
    sweeping.deleteById(id);
    heal();
    TwoReplicas.await("it is gone at the other", () -> used.findById(id) == null);
    assertThat(events).noneMatch(SessionExpiredEvent.class::isInstance);
  }

  @Test
  void ofTwoUsesInACutTheLaterCounts() {
    open(OptionalInt.of(2));
    TerraceSession session = sweeping.createSession();
    sweeping.save(session);
    String id = session.getId();
    TwoReplicas.await("it is there", () -> used.findById(id) != null);
    cut();
    awaitMembers(1);
    useAfter(used, id, Duration.ofMinutes(20));
    useAfter(sweeping, id, Duration.ofMinutes(10)); // its stamp is the later one
    heal();
    awaitMembers(2);
    TwoReplicas.await(
        "both uses are known here", () -> sweeping.parts().values(PartKey.used(id)).size() == 2);

    assertThat(sweeping.findById(id).getLastAccessedTime())
        .isAfter(session.getCreationTime().plus(Duration.ofMinutes(15)));
  }

  private static void useAfter(TerraceSessionRepository at, String id, Duration later) {
    TerraceSession found = at.findById(id);
    found.setLastAccessedTime(found.getCreationTime().plus(later));
    at.save(found);
  }
}
