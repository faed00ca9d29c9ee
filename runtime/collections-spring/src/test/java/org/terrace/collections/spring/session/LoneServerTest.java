package org.terrace.collections.spring.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.spring.TwoReplicas;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;
import org.terrace.testing.ManualTimeSource;

/** One server of two, told that there are to be two, which is left alone. */
@Tag("real-processes")
@Tag("untimed")
class LoneServerTest {
  private static final CollectionsOptions OPTIONS =
      CollectionsOptions.defaults().withWriteTimeout(Duration.ofSeconds(1), Duration.ZERO);

  private final ManualTimeSource time = new ManualTimeSource(0);
  private final Queue<Object> events = new ConcurrentLinkedQueue<>();
  private Group group;
  private Group otherGroup;
  private ReplicatedCollections collections;
  private ReplicatedCollections others;
  private TerraceSessionRepository sessions;

  private static Group open(String member, InetSocketAddress... contacts) {
    return Groups.open(
        GroupOptions.of("lone-server", member, Discovery.of(List.of(contacts)))
            .withAddress(InetAddress.ofLiteral("127.67.1.1"), 0)
            .withExpectedMembers(2));
  }

  @BeforeEach
  void open() {
    group = open("app1");
    otherGroup = open("app2", group.self().address());
    collections = ReplicatedCollections.open(group, OPTIONS);
    others = ReplicatedCollections.open(otherGroup, OPTIONS);
    TwoReplicas.await("both", () -> group.view().members().size() == 2);
    TwoReplicas.await("both", () -> otherGroup.view().members().size() == 2);
    TerraceSessionOptions options =
        TerraceSessionOptions.defaults().withLevel(WriteLevel.replicas(2));
    sessions = new TerraceSessionRepository(collections, "sessions", options, time, events::add);
  }

  @AfterEach
  void close() {
    sessions.close();
    collections.close();
    group.close();
  }

  private String saved(Duration inactive) {
    TerraceSession session = sessions.createSession();
    session.setAttribute("name", "ann");
    session.setMaxInactiveInterval(inactive);
    sessions.save(session);
    others.close();
    otherGroup.close();
    TwoReplicas.await("it is alone", () -> group.view().members().size() == 1);
    return session.getId();
  }

  @Test
  void whatIsDeletedIsGoneThoughItIsNotConfirmed() {
    String id = saved(Duration.ofHours(1));
    assertThatThrownBy(() -> sessions.deleteById(id))
        .isInstanceOf(UnacknowledgedWriteException.class);
    assertThatThrownBy(() -> sessions.deleteById(id))
        .as("as little as before")
        .isInstanceOf(UnacknowledgedWriteException.class);

    assertThat(sessions.findById(id)).isNull();
    assertThat(sessions.parts()).isEmpty();
    assertThat(events)
        .hasExactlyElementsOfTypes(SessionCreatedEvent.class, SessionDeletedEvent.class);
  }

  @Test
  void whoeverComesWithTheCookieOfASessionThatIsOverFindsNone() {
    String id = saved(Duration.ofSeconds(1));
    TwoReplicas.await("it is over", () -> sessions.findById(id) == null);
    sessions.sweep();
    sessions.sweep();

    assertThat(sessions.findById(id)).isNull();
    assertThat(sessions.sessionCount()).as("the other may know of a use").isEqualTo(1);
    assertThat(events).hasExactlyElementsOfTypes(SessionCreatedEvent.class);
  }

  /** By a wall clock that is days ahead each session would look so. */
  @Test
  void whatLooksOverForADayEndsThoughTheOtherStaysAway() {
    String id = saved(Duration.ofSeconds(1));
    long longAgo = sessions.agreedMillis() - Duration.ofDays(3).toMillis();
    sessions
        .parts()
        .withLevel(WriteLevel.LOCAL)
        .put(PartKey.beginning(id), new SessionPart.Beginning(longAgo, longAgo, 1_000));
    sessions.sweep();
    sessions.sweep();
    assertThat(sessions.sessionCount()).as("it looks over since now").isEqualTo(1);

    time.advanceNanos(SessionSweeper.MISSING_MAX.toNanos());
    sessions.sweep();
    assertThat(sessions.parts()).isEmpty();
    assertThat(events)
        .hasExactlyElementsOfTypes(SessionCreatedEvent.class, SessionExpiredEvent.class);
  }

  @Test
  void aSaveThatIsRefusedOnceItHasBegunIsInDoubt() {
    PartWrites begun = new PartWrites(sessions.parts(), "a");
    begun.attributes(Map.of("one", new byte[1]));
    saved(Duration.ofHours(1));
    assertThatThrownBy(() -> begun.attributes(Map.of("two", new byte[1])))
        .isInstanceOf(UnacknowledgedWriteException.class);
    assertThatThrownBy(
            () -> new PartWrites(sessions.parts(), "a").attributes(Map.of("one", new byte[1])))
        .isInstanceOf(WriteRefusedException.class);
  }
}
