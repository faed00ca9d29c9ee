package org.terrace.collections.spring.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.session.FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;

import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.session.events.SessionExpiredEvent;
import org.terrace.collections.spring.TwoReplicas;
import org.terrace.core.TimeSource;

/** Requests of one visitor at two servers at once, and listeners that fail. */
@Tag("real-processes")
@Tag("untimed")
class ConcurrentRequestsTest {
  private final Queue<Object> events = new ConcurrentLinkedQueue<>();
  private TwoReplicas replicas;
  private TerraceSessionRepository here;
  private TerraceSessionRepository there;

  /** The failure of listeners here that hear of an end; null as long as they do not fail. */
  private volatile @Nullable Throwable failure;

  @BeforeEach
  void open() {
    replicas = new TwoReplicas("concurrent-requests");
    TerraceSessionOptions options =
        TerraceSessionOptions.defaults()
            .withLevel(TwoReplicas.BOTH)
            .withSaveTimeout(TwoReplicas.SOON);
    here =
        new TerraceSessionRepository(
            replicas.first(), "sessions", options, TimeSource.system(), this::tell);
    there =
        new TerraceSessionRepository(
            replicas.second(), "sessions", options, TimeSource.system(), events::add);
  }

  @AfterEach
  void close() {
    there.close();
    here.close();
    replicas.close();
  }

  private void tell(Object event) {
    events.add(event);
    if (event instanceof SessionExpiredEvent) {
      switch (failure) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> {}
      }
    }
  }

  private TerraceSession begin() {
    TerraceSession session = here.createSession();
    session.setAttribute("basket", "tea");
    session.setAttribute("colour", "red");
    here.save(session);
    return session;
  }

  /** A session that looks unused for an hour more than it may. */
  private String beginUnused() {
    String id = begin().getId();
    long longAgoMillis = here.agreedMillis() - Duration.ofHours(2).toMillis();
    here.parts()
        .put(
            PartKey.beginning(id),
            new SessionPart.Beginning(
                longAgoMillis, longAgoMillis, Duration.ofHours(1).toMillis()));
    return id;
  }

  private long ends() {
    return events.stream().filter(SessionExpiredEvent.class::isInstance).count();
  }

  @Test
  void aSignInTakesAlongWhatAnotherRequestHasSavedMeanwhile() {
    String id = begin().getId();
    TerraceSession signingIn = here.findById(id);
    TerraceSession other = there.findById(id);
    Instant later = other.getLastAccessedTime().plus(Duration.ofMinutes(10));
    other.setAttribute("cart", "milk");
    other.setAttribute("colour", "blue");
    other.setAttribute(PRINCIPAL_NAME_INDEX_NAME, "bob");
    other.removeAttribute("basket");
    other.setMaxInactiveInterval(Duration.ofHours(2));
    other.setLastAccessedTime(later);
    there.save(other);
    TwoReplicas.await("its use is known", () -> here.parts().containsKey(PartKey.used(id)));

    signingIn.setAttribute("colour", "green");
    signingIn.setAttribute("note", "hello");
    signingIn.changeSessionId();
    here.save(signingIn);

    TerraceSession found = there.findById(signingIn.getId());
    assertThat(found.<String>getAttribute("cart")).isEqualTo("milk");
    assertThat(found.<String>getAttribute("colour")).isEqualTo("green");
    assertThat(found.<String>getAttribute("note")).isEqualTo("hello");
    assertThat(found.getAttributeNames()).doesNotContain("basket");
    assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofHours(2));
    assertThat(found.getLastAccessedTime()).isAfter(later.minusSeconds(30));
    assertThat(there.findByPrincipalName("bob")).containsOnlyKeys(signingIn.getId());
    assertThat(there.findById(id)).isNull();
  }

  @Test
  void whatASignInSetsGoesBeforeWhatAnotherRequestHasSaved() {
    String id = begin().getId();
    TerraceSession signingIn = here.findById(id);
    TerraceSession other = there.findById(id);
    other.setMaxInactiveInterval(Duration.ofHours(2));
    there.save(other);

    signingIn.setMaxInactiveInterval(Duration.ofHours(3));
    signingIn.removeAttribute("basket");
    signingIn.changeSessionId();
    here.save(signingIn);

    TerraceSession found = there.findById(signingIn.getId());
    assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofHours(3));
    assertThat(found.getAttributeNames()).containsExactly("colour");
  }

  @Test
  void aLongRequestPutsNoEarlierUseOverALaterOne() {
    TerraceSession session = begin();
    String id = session.getId();
    Instant begun = session.getLastAccessedTime();
    TerraceSession longOne = here.findById(id);
    TerraceSession shortOne = there.findById(id);
    shortOne.setLastAccessedTime(begun.plus(Duration.ofMinutes(20)));
    there.save(shortOne);
    TwoReplicas.await("the later use is known", () -> usedAfter(here, id, begun, 15));

    longOne.setLastAccessedTime(begun.plus(Duration.ofMinutes(5)));
    longOne.setAttribute("note", "slow");
    here.save(longOne);
    assertThat(usedAfter(here, id, begun, 15)).isTrue();
    assertThat(here.findById(id).<String>getAttribute("note")).isEqualTo("slow");

    longOne.setLastAccessedTime(begun.plus(Duration.ofMinutes(40)));
    here.save(longOne);
    TwoReplicas.await("a use after both is spread", () -> usedAfter(there, id, begun, 35));
  }

  private static boolean usedAfter(
      TerraceSessionRepository at, String id, Instant begun, int minutes) {
    return at.findById(id).getLastAccessedTime().isAfter(begun.plus(Duration.ofMinutes(minutes)));
  }

  @Test
  void aListenerThatFailsHindersNoOtherEnd() {
    for (Throwable thrown :
        new Throwable[] {new IllegalStateException("a listener"), new AssertionError("another")}) {
      events.clear();
      failure = thrown;
      String asked = beginUnused();
      TwoReplicas.await(
          "the end of the one that is asked for, which is null each time",
          () -> here.findById(asked) == null && ends() == 1);
      beginUnused();
      beginUnused();
      TwoReplicas.await(
          "the end of the others",
          () -> {
            here.sweep();
            return ends() == 3;
          });
      assertThat(here.sessionCount()).isZero();
    }
  }

  @Test
  void sweepsGoOnAfterAnError() {
    failure = new AssertionError("a listener");
    TerraceSessionOptions options =
        TerraceSessionOptions.defaults()
            .withLevel(TwoReplicas.BOTH)
            .withSweepPeriod(Duration.ofMillis(50));
    here.close();
    here =
        new TerraceSessionRepository(
            replicas.first(), "swept", options, TimeSource.system(), this::tell);
    beginUnused();
    TwoReplicas.await("the end that a listener fails at", () -> ends() == 1);
    beginUnused();
    TwoReplicas.await("the end of a later one", () -> ends() == 2);
  }

  @Test
  void whatLookedUnusedBeforeAUseIsLookedAtAnew() {
    String id = beginUnused();
    assertThat(here.findById(id)).isNull();
    assertThat(here.sweeper().isOverForAll(id)).as("the other was not heard yet").isFalse();
    TwoReplicas.await("the other was heard", () -> here.sweeper().isOverForAll(id));
    PartKey used = PartKey.used(id);
    here.parts().put(used, new SessionPart.Used(here.agreedMillis()));
    assertThat(here.findById(id)).isNotNull();

    here.parts().remove(used); // as if time went by, in which the other may have heard of a use
    assertThat(here.findById(id)).isNull();
    assertThat(ends()).as("it was not heard since").isZero();
    assertThat(here.sessionCount()).isOne();
  }
}
