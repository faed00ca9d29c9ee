package signedin;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/**
 * A Spring Boot application with Spring Security's form, as anywhere: that its sessions survive its
 * servers is the starter's doing, and {@code application.properties}'.
 */
@SpringBootApplication
class SignedIn {
  /** Four visitors, whose password is tea. A real application asks a database. */
  @Bean
  UserDetailsService visitors() {
    InMemoryUserDetailsManager visitors = new InMemoryUserDetailsManager();
    for (String name : new String[] {"ann", "bob", "cleo", "dan"}) {
      visitors.createUser(User.withUsername(name).password("{noop}tea").roles("VISITOR").build());
    }
    return visitors;
  }
}
