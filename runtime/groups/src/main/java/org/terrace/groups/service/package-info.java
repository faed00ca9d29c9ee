/**
 * Which services a group offers, at which replicas, under which load; and more replicas when the
 * load asks for them.
 */
package org.terrace.groups.service;
