package org.terrace.collections.spring.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.session.FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;

import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.spring.TwoReplicas;
import org.terrace.core.TimeSource;

/** Requests of one visitor at two servers at once. */
@Tag("real-processes")
@Tag("untimed")
class ConcurrentRequestsTest {
  private final Queue<Object> events = new ConcurrentLinkedQueue<>();
  private TwoReplicas replicas;
  private TerraceSessionRepository here;
  private TerraceSessionRepository there;

  @BeforeEach
  void open() {
    replicas = new TwoReplicas("concurrent-requests");
    TerraceSessionOptions options =
        TerraceSessionOptions.defaults()
            .withLevel(TwoReplicas.BOTH)
            .withSaveTimeout(TwoReplicas.SOON);
    here =
        new TerraceSessionRepository(
            replicas.first(), "sessions", options, TimeSource.system(), events::add);
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

  private TerraceSession begin() {
    TerraceSession session = here.createSession();
    session.setAttribute("basket", "tea");
    session.setAttribute("colour", "red");
    here.save(session);
    return session;
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
}
