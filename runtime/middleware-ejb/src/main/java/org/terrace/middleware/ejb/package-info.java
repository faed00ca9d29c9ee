/** Calls of replicated services carried by a session bean, over OpenEJB's ejbd protocol. */
@NullMarked
package org.terrace.middleware.ejb;

import org.jspecify.annotations.NullMarked;
