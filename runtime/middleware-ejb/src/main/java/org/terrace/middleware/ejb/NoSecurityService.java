package org.terrace.middleware.ejb;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.security.Principal;
import java.security.ProtectionDomain;
import java.util.Properties;
import java.util.Set;
import org.apache.openejb.InterfaceType;
import org.apache.openejb.core.security.jacc.BasicPolicyConfiguration;
import org.apache.openejb.spi.SecurityService;
import org.jspecify.annotations.Nullable;

/**
 * A security service that knows no one and permits everything. OpenEJB's own installs a {@code
 * Policy}, which this Java no longer has (JEP 486).
 */
public final class NoSecurityService
    implements SecurityService<Object>, BasicPolicyConfiguration.RoleResolver {
  private static final String NOBODY = "nobody";
  private static final ProtectionDomain DOMAIN = new ProtectionDomain(null, null);

  /** Made by the container. */
  public NoSecurityService() {}

  @Override
  public void init(Properties properties) {}

  @Override
  public Object login(String user, String password) {
    return NOBODY;
  }

  @Override
  public Object login(String realm, String user, String password) {
    return NOBODY;
  }

  @Override
  public void associate(Object token) {}

  @Override
  public @Nullable Object disassociate() {
    return null;
  }

  @Override
  public void logout(Object token) {}

  @Override
  public boolean isCallerInRole(String role) {
    return false;
  }

  @Override
  public @Nullable Principal getCallerPrincipal() {
    return null;
  }

  @Override
  public <P extends Principal> Set<P> getPrincipalsByType(Class<P> type) {
    return Set.of();
  }

  @Override
  public ProtectionDomain getProtectionDomain() {
    return DOMAIN;
  }

  @Override
  public boolean isCallerAuthorized(Method method, InterfaceType type) {
    return true;
  }

  @Override
  public void setState(Object state) {}

  @Override
  public @Nullable Object currentState() {
    return null;
  }

  @Override
  public void onLogout(HttpServletRequest request) {}

  @Override
  public Set<String> getLogicalRoles(Principal[] principals, Set<String> roles) {
    return roles;
  }
}
