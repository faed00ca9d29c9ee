package org.terrace.spring.boot.starter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.session.autoconfigure.SessionAutoConfiguration;
import org.springframework.boot.session.autoconfigure.SessionTimeout;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.session.SessionRepository;
import org.springframework.session.config.annotation.web.http.SpringHttpSessionConfiguration;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.spring.session.TerraceSessionOptions;
import org.terrace.collections.spring.session.TerraceSessionRepository;
import org.terrace.core.TimeSource;

/** HTTP sessions of a servlet application in a replicated map, unless they are elsewhere. */
@AutoConfiguration(after = TerraceAutoConfiguration.class, before = SessionAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = "terrace.sessions.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(SessionRepository.class)
@Import(SpringHttpSessionConfiguration.class)
public final class TerraceSessionAutoConfiguration {
  /** A configuration, for Spring. */
  public TerraceSessionAutoConfiguration() {}

  /** The sessions; those that lie unused end as {@code spring.session.timeout} says. */
  @Bean(destroyMethod = "close")
  public TerraceSessionRepository sessionRepository(
      ReplicatedCollections collections,
      TerraceProperties properties,
      ObjectProvider<SessionTimeout> timeout,
      ApplicationEventPublisher events) {
    TerraceProperties.Sessions sessions = properties.sessions();
    List<String> admitted = new ArrayList<>(TerraceSessionOptions.OF_SPRING_SECURITY);
    admitted.addAll(sessions.admitted());
    TerraceSessionOptions defaults = TerraceSessionOptions.defaults();
    SessionTimeout chosen = timeout.getIfAvailable();
    Duration inactive = chosen == null ? null : chosen.getTimeout();
    return new TerraceSessionRepository(
        collections,
        sessions.name(),
        defaults
            .withLevel(WriteLevelText.parse("terrace.write-level", properties.writeLevel()))
            .withSaveTimeout(properties.writeTimeout())
            .withMaxInactiveInterval(inactive == null ? defaults.maxInactiveInterval() : inactive)
            .withAdmitted(admitted)
            .withSaveMode(sessions.saveMode())
            .withSweepPeriod(sessions.sweepPeriod()),
        TimeSource.system(),
        events);
  }
}
