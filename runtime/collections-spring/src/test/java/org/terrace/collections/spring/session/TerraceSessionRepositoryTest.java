package org.terrace.collections.spring.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.session.FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.core.userdetails.User;
import org.springframework.session.SaveMode;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionDestroyedEvent;
import org.springframework.session.events.SessionExpiredEvent;
import org.terrace.collections.spring.TwoReplicas;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.MalformedDataException;

/** The promises of Spring's sessions, at two servers with real groups. */
@Tag("real-processes")
@Tag("untimed")
class TerraceSessionRepositoryTest {
  private static final String SECURITY = "SPRING_SECURITY_CONTEXT";

  /** A bean that changes in place. */
  static final class Basket implements Serializable {
    private static final long serialVersionUID = 1L;
    final List<String> items = new ArrayList<>();
  }

  /** A class that nobody has admitted. */
  record Stranger(String name) implements Serializable {}

  private final Queue<Object> events = new ConcurrentLinkedQueue<>();
  private TwoReplicas replicas;
  private TerraceSessionRepository here;
  private TerraceSessionRepository there;

  @BeforeEach
  void open() {
    replicas = new TwoReplicas("spring-sessions");
    List<String> admitted = new ArrayList<>(TerraceSessionOptions.OF_SPRING_SECURITY);
    admitted.add(Basket.class.getName());
    TerraceSessionOptions options =
        TerraceSessionOptions.defaults()
            .withAdmitted(admitted)
            .withLevel(TwoReplicas.BOTH)
            .withSaveTimeout(TwoReplicas.SOON);
    here =
        new TerraceSessionRepository(
            replicas.first(), "sessions", options, TimeSource.system(), events::add);
    there =
        new TerraceSessionRepository(
            replicas.second(),
            "sessions",
            options.withSaveMode(SaveMode.ON_GET_ATTRIBUTE),
            TimeSource.system(),
            events::add);
  }

  @AfterEach
  void close() {
    there.close();
    here.close();
    replicas.close();
  }

  private static SecurityContext signedIn(String name) {
    User user = new User(name, "secret", AuthorityUtils.createAuthorityList("ROLE_USER"));
    return new SecurityContextImpl(
        UsernamePasswordAuthenticationToken.authenticated(user, null, user.getAuthorities()));
  }

  /** A session of ann's, saved here. */
  private TerraceSession begin() {
    TerraceSession session = here.createSession();
    session.setAttribute(SECURITY, signedIn("ann"));
    session.setAttribute("basket", new Basket());
    here.save(session);
    return session;
  }

  @Test
  void whatWasSavedIsAtTheOtherServerAtOnce() {
    TerraceSession session = begin();

    TerraceSession found = there.findById(session.getId());
    assertThat(found.<SecurityContext>getAttribute(SECURITY).getAuthentication().getName())
        .isEqualTo("ann");
    assertThat(found.getAttributeNames()).containsExactly(SECURITY, "basket");
    assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofMinutes(30));
    assertThat(Duration.between(session.getCreationTime(), found.getCreationTime()).abs())
        .isLessThan(Duration.ofSeconds(10)); // the clocks are one, their agreement is not exact
    found.setAttribute("note", "hello");
    found.removeAttribute("basket");
    found.setMaxInactiveInterval(Duration.ofHours(1));
    there.save(found);

    TerraceSession back = here.findById(session.getId());
    assertThat(back.<String>getAttribute("note")).isEqualTo("hello");
    assertThat(back.<Object>getAttribute("basket")).isNull();
    assertThat(back.getMaxInactiveInterval()).isEqualTo(Duration.ofHours(1));
    assertThat(here.sessionCount()).isEqualTo(1);
    assertThat(events).hasExactlyElementsOfTypes(SessionCreatedEvent.class);
  }

  @Test
  void aSessionIsFoundByItsPrincipal() {
    TerraceSession session = begin();
    TerraceSession other = here.createSession();
    here.save(other);
    assertThat(there.findByPrincipalName("ann")).containsOnlyKeys(session.getId());
    assertThat(there.findByPrincipalName("bob")).isEmpty();
    assertThat(there.findByIndexNameAndIndexValue("colour", "ann")).isEmpty();

    TerraceSession named = there.findById(session.getId());
    named.setAttribute(PRINCIPAL_NAME_INDEX_NAME, "bob");
    there.save(named);
    assertThat(here.findByPrincipalName("bob")).containsOnlyKeys(session.getId());
    assertThat(here.findByPrincipalName("ann")).isEmpty();

    named.removeAttribute(PRINCIPAL_NAME_INDEX_NAME);
    named.removeAttribute(SECURITY);
    there.save(named);
    assertThat(here.findByPrincipalName("bob")).isEmpty();
  }

  @Test
  void aChangeOfTheIdentifierLeavesNothingBehind() {
    TerraceSession session = begin();
    int parts = here.parts().size();
    String before = session.getId();
    session.changeSessionId();
    session.setAttribute("note", "new");
    here.save(session);

    assertThat(there.findById(before)).isNull();
    TerraceSession found = there.findById(session.getId());
    assertThat(found.<String>getAttribute("note")).isEqualTo("new");
    assertThat(found.<Basket>getAttribute("basket")).isNotNull();
    assertThat(there.findByPrincipalName("ann")).containsOnlyKeys(session.getId());
    TwoReplicas.await(
        "the parts of the old one have gone",
        () -> here.parts().size() == parts + 1 && there.parts().size() == parts + 1);
    assertThat(events).hasExactlyElementsOfTypes(SessionCreatedEvent.class);
  }

  @Test
  void whatIsSavedBesideALogoutBringsNothingBack() {
    TerraceSession session = begin();
    TerraceSession late = there.findById(session.getId());
    here.deleteById(session.getId());
    assertThat(events.peek()).isInstanceOf(SessionCreatedEvent.class);
    assertThat(events).last().isInstanceOf(SessionDeletedEvent.class);

    late.setLastAccessedTime(late.getLastAccessedTime().plusSeconds(600));
    late.setAttribute("note", "late");
    there.save(late);
    assertThat(there.findById(session.getId())).isNull();
    late.changeSessionId();
    there.save(late);
    assertThat(there.findById(late.getId())).isNull();

    // As if the save had looked just before the logout reached it.
    there.parts().put(PartKey.used(session.getId()), new SessionPart.Used(Long.MAX_VALUE));
    assertThat(here.findById(session.getId())).isNull();
    here.sweep();
    assertThat(here.parts()).isNotEmpty();
    here.sweeper().orphanMillis = 0;
    TwoReplicas.await(
        "what was left has gone",
        () -> {
          here.sweep();
          return here.parts().isEmpty();
        });
    here.deleteById(session.getId());
    assertThat(events).hasSize(2);
  }

  @Test
  void aSessionThatLiesUnusedEnds() {
    TerraceSession session = begin();
    TerraceSession second = begin();
    TerraceSession kept = begin();
    for (TerraceSession idle : List.of(session, second)) {
      long longAgoMillis = here.agreedMillis() - Duration.ofHours(1).toMillis();
      here.parts()
          .put(
              PartKey.beginning(idle.getId()),
              new SessionPart.Beginning(
                  longAgoMillis, longAgoMillis, Duration.ofMinutes(5).toMillis()));
      idle.setMaxInactiveInterval(Duration.ofMinutes(5));
      idle.setLastAccessedTime(idle.getLastAccessedTime().minus(Duration.ofHours(1)));
      assertThat(idle.isExpired()).isTrue();
    }
    kept.setMaxInactiveInterval(Duration.ZERO);
    here.save(kept);
    events.clear();

    assertThat(there.findById(session.getId())).isNull();
    assertThat(events).as("the other server may know of a use").isEmpty();
    TwoReplicas.await(
        "the end of the one that was asked for, once the other was heard",
        () -> there.findById(session.getId()) == null && !events.isEmpty());
    TwoReplicas.await(
        "the end of both",
        () -> {
          here.sweep();
          return events.size() == 2;
        });
    assertThat(events)
        .hasExactlyElementsOfTypes(SessionExpiredEvent.class, SessionExpiredEvent.class);
    assertThat(((SessionDestroyedEvent) events.peek()).getSessionId()).isEqualTo(session.getId());
    assertThat(((SessionDestroyedEvent) events.peek()).<TerraceSession>getSession())
        .extracting(ended -> ended.<Basket>getAttribute("basket"))
        .isNotNull();
    assertThat(there.findById(second.getId())).isNull();
    assertThat(there.findById(kept.getId())).isNotNull();
  }

  @Test
  void aUseIsSpreadNowAndThen() {
    TerraceSession session = begin();
    session.setLastAccessedTime(session.getLastAccessedTime().plusSeconds(10));
    here.save(session);
    assertThat(here.parts()).doesNotContainKey(PartKey.used(session.getId()));
    session.setLastAccessedTime(session.getLastAccessedTime().plusSeconds(60));
    here.save(session);
    assertThat(here.parts()).containsKey(PartKey.used(session.getId()));
    TwoReplicas.await(
        "the use is known there",
        () ->
            there
                .findById(session.getId())
                .getLastAccessedTime()
                .isAfter(session.getCreationTime().plusSeconds(30)));
  }

  @Test
  void aBeanThatChangesInPlaceIsSavedIfItsReadersAreLookedAt() {
    TerraceSession session = begin();
    TerraceSession atHere = here.findById(session.getId());
    atHere.<Basket>getAttribute("basket").items.add("tea");
    here.save(atHere); // only what was set
    assertThat(there.findById(session.getId()).<Basket>getAttribute("basket").items).isEmpty();

    TerraceSession atThere = there.findById(session.getId());
    atThere.<Basket>getAttribute("basket").items.add("milk");
    there.save(atThere);
    assertThat(here.findById(session.getId()).<Basket>getAttribute("basket").items)
        .containsExactly("milk");

    Basket set = new Basket();
    atHere.setAttribute("basket", set);
    set.items.add("after");
    here.save(atHere);
    assertThat(there.findById(session.getId()).<Basket>getAttribute("basket").items)
        .containsExactly("after");
  }

  @Test
  void attributesSetAtBothServersDoNotHinderEachOther() {
    TerraceSession session = begin();
    TerraceSession atThere = there.findById(session.getId());
    TerraceSession atHere = here.findById(session.getId());
    atHere.setAttribute("one", 1);
    atThere.setAttribute("two", 2);
    here.save(atHere);
    there.save(atThere);

    assertThat(here.findById(session.getId()).getAttributeNames())
        .containsExactly(SECURITY, "basket", "one", "two");
  }

  @Test
  void noObjectOfAClassThatIsNotAdmittedIsMade() throws IOException {
    TerraceSession session = begin();
    assertThatThrownBy(() -> session.setAttribute("stranger", new Stranger("eve")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'stranger'")
        .hasMessageContaining(Stranger.class.getName());
    assertThatThrownBy(() -> session.setAttribute("", 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> session.setAttribute("\0used", 1))
        .isInstanceOf(IllegalArgumentException.class);

    ByteArrayOutputStream forged = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(forged)) {
      out.writeObject(new Stranger("eve"));
    }
    there
        .parts()
        .put(
            PartKey.attribute(session.getId(), "stranger"),
            new SessionPart.Attribute(forged.toByteArray()));
    TerraceSession found = here.findById(session.getId());
    assertThatThrownBy(() -> found.getAttribute("stranger"))
        .isInstanceOf(MalformedDataException.class)
        .hasMessageContaining(Stranger.class.getName());
    assertThat(found.<Basket>getAttribute("basket")).isNotNull();
  }
}
